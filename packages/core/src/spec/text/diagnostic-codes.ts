/** Every diagnostic code with a one-line explanation; a layer appends its own in the group of its prefix. */
export const DIAGNOSTIC_CODES = {
  // LW-FILE: finding and decoding files
  "LW-FILE-MISSING": "A file that is named does not exist.",
  "LW-FILE-UNREADABLE":
    "A file exists but cannot be read (a folder, no permission, not a regular file).",
  "LW-FILE-OUTSIDE-ROOT": "A path leaves the project root, directly or through a symbolic link.",
  "LW-FILE-TOO-LARGE": "A file is larger than the cap for its kind.",
  "LW-FILE-EMPTY": "A file holds nothing but white space and comments.",
  "LW-FILE-ENCODING": "A file is not UTF-8.",
  "LW-FILE-CONTROL-CHARACTER": "A file holds a control character that YAML does not allow.",
  "LW-FILE-LINE-ENDING": "A file uses bare carriage returns; only LF and CRLF end a line.",
  "LW-FILE-FORMAT":
    "A data file is not valid in the format that its name promises, or not what its reader takes.",
  "LW-FILE-UNSUPPORTED": "A data file has a format that is not supported.",
  "LW-FILE-EXTENDS-CYCLE": "Files extend each other in a circle.",
  "LW-FILE-CHAIN": "Files extend each other in too long a chain, or bring in too much together.",
  "LW-FILE-NOT-FOLDER": "A folder that is named does not exist.",
  "LW-FILE-UNWRITABLE":
    "A file that is to be written can't be: a folder or a permission is in the way.",

  // LW-YAML: what YAML reads without an error, or reads differently
  "LW-YAML-SYNTAX": "The text is not valid YAML.",
  "LW-YAML-INDENT": "A line is indented by the wrong number of spaces.",
  "LW-YAML-TAB": "A tab stands in the indentation.",
  "LW-YAML-INVISIBLE": "An invisible or no-break space stands where indentation or a key is read.",
  "LW-YAML-LOOK-ALIKE": "A character looks like one that means something here, and is another.",
  "LW-YAML-NULL": "A key or list item has no value; specs know no null.",
  "LW-YAML-TAG": "A value starts with `!`, which YAML reads as a tag.",
  "LW-YAML-MERGE-KEY": "A merge key (`<<`) is used.",
  "LW-YAML-DUPLICATE-KEY": "A map holds the same key twice.",
  "LW-YAML-KEY": "A key is not plain text.",
  "LW-YAML-RESERVED-KEY": "A key has a name that could change objects themselves (`__proto__`).",
  "LW-YAML-DOCUMENTS": "A file holds more than one YAML document.",
  "LW-YAML-DIRECTIVE": "A file holds a directive other than `%YAML 1.2`.",
  "LW-YAML-ALIAS": "An alias has no anchor before it, or contains itself.",
  "LW-YAML-ALIAS-EXPANSION": "Aliases expand to more values than the cap.",
  "LW-YAML-DEPTH": "Values are nested deeper than the cap.",
  "LW-YAML-NUMBER":
    "A number is hexadecimal, octal, infinite, not a number, or too large to be exact.",
  "LW-YAML-COMMA": "A comma inside `{ }` or `[ ]` ended a text too early.",
  "LW-YAML-UNQUOTED-SUBSTITUTION": "An unquoted `${` stands inside `{ }` or `[ ]`.",
  "LW-YAML-UNQUOTED-TEMPLATE": "An unquoted `{{` stands where YAML reads a map.",

  // LW-VALUE: single values
  "LW-VALUE-TYPE": "A value has the wrong type.",
  "LW-VALUE-TEXT-EXPECTED": "A number or boolean stands where text belongs.",
  "LW-VALUE-NUMBER-EXPECTED": "Text stands where a number belongs.",
  "LW-VALUE-BOOLEAN-EXPECTED": "Something other than true or false stands where a boolean belongs.",
  "LW-VALUE-LIST-EXPECTED": "Something other than a list stands where a list belongs.",
  "LW-VALUE-MAP-EXPECTED": "Something other than a map stands where a map belongs.",
  "LW-VALUE-DURATION": "A duration has no unit or is none.",
  "LW-VALUE-COUNT": "A count is negative, fractional or none.",
  "LW-VALUE-RATE": "A rate is not written as a count for a time, like `10/1m`.",
  "LW-VALUE-RANGE": "A number is outside its allowed range.",
  "LW-VALUE-CHOICE": "A value is none of the allowed ones.",
  "LW-VALUE-ID": "An id is not kebab-case.",
  "LW-VALUE-FIELDS": "A declaration of fields is malformed.",
  "LW-VALUE-FIELD-TYPE": "A field has an unknown type.",
  "LW-VALUE-FIELD-NAME": "A field has a name that cannot be used.",
  "LW-VALUE-FIELD-DEFAULT": "A default does not fit the type of its field.",
  "LW-VALUE-ENUM":
    "A list of allowed values is empty, repeats one, or holds something other than text.",
  "LW-VALUE-SCHEMA": "A JSON Schema is malformed.",
  "LW-VALUE-PATTERN": "A pattern is malformed, or could take very long on some texts.",

  // LW-SUBST: ${…}
  "LW-SUBST-SYNTAX": "A `${` is never closed or is malformed.",
  "LW-SUBST-UNKNOWN": "A `${…}` is none of env, file, secret, run.",
  "LW-SUBST-UNSET": "An environment variable is not set and has no default.",
  "LW-SUBST-SECRET-PLACE": "A `${secret:…}` stands in a field that is not marked secret.",

  // LW-TEMPLATE: {{ … }}
  "LW-TEMPLATE-SYNTAX": "A template is malformed.",
  "LW-TEMPLATE-PATH": "A template reads something that does not exist.",
  "LW-TEMPLATE-TYPE": "A template repeats over something that is not a list.",

  // LW-EXPR: CEL expressions
  "LW-EXPR-SYNTAX": "An expression is malformed or too large.",
  "LW-EXPR-TYPE": "An expression has the wrong type or mixes types.",
  "LW-EXPR-UNKNOWN": "An expression reads something that does not exist.",
  "LW-EXPR-NEVER-TRUE": "A comparison can never be true.",
  "LW-EXPR-ALWAYS-TRUE": "A condition is always true.",

  // LW-SPEC: the file as a whole
  "LW-SPEC-API-VERSION": "`apiVersion` is missing or unknown.",
  "LW-SPEC-NOT-YET": "A part of the language is known, but this version cannot run it.",
  "LW-SPEC-UNKNOWN-KEY": "A key is not known at its place.",
  "LW-SPEC-MISSING-KEY": "A required key is missing.",
  "LW-SPEC-EXCLUSIVE-KEYS": "Two keys that exclude each other are both given.",
  "LW-SPEC-ID-CLASH": "Two things have the same id.",
  "LW-SPEC-FRAGMENT": "A file without `strategy` is a fragment and cannot run.",
  "LW-SPEC-PATCH": "A patch changes something that does not exist or cannot be changed so.",
  "LW-SPEC-OUTPUT": "The declaration of the output contradicts itself.",
  "LW-SPEC-MEMORY": "A memory is named that the spec does not list.",
  "LW-SPEC-OVERLAY": "An overlay is named that the spec does not have.",
  "LW-SPEC-STRATEGY-NAME": "A name of `strategies` is a plugin's id or cannot be used.",
  "LW-SPEC-STRATEGY-CYCLE": "A strategy of `strategies` contains itself.",
  "LW-SPEC-TOO-LARGE": "A spec expands to more stages than the cap.",
  "LW-SPEC-SWITCH": "A switch does nothing, or would raise a limit.",

  // LW-STAGE: one stage
  "LW-STAGE-FORM": "A stage is neither one word, nor a map with exactly one key, nor a list.",
  "LW-STAGE-MISPLACED-OPTION": "An option stands beside a stage, not inside it.",
  "LW-STAGE-UNKNOWN-OPTION": "A strategy has no such option or slot.",
  "LW-STAGE-MISSING-OPTION": "A strategy lacks a required option.",
  "LW-STAGE-MISSING-SLOT": "A strategy lacks a required slot.",
  "LW-STAGE-EMPTY": "A list of stages is empty.",
  "LW-STAGE-AMBIGUOUS-ID": "A reference could mean two stages that carry no id of their own.",
  "LW-STAGE-UNKNOWN-ID": "A reference names no stage.",
  "LW-STAGE-OPTIONS": "Options of a stage contradict each other.",
  "LW-STAGE-NO-MODEL": "A stage needs a model and none is given.",
  "LW-STAGE-NO-TOOLS": "A stage that acts has no tool.",

  // LW-PLUGIN: plugins and their ids
  "LW-PLUGIN-UNKNOWN": "No installed plugin has this id.",
  "LW-PLUGIN-AMBIGUOUS": "A short id fits more than one plugin.",
  "LW-PLUGIN-KIND": "A plugin is of another kind than its place needs.",
  "LW-PLUGIN-BROKEN": "A plugin cannot be loaded.",
  "LW-PLUGIN-VERSION":
    "A package is missing below the project root, or has another version than the spec asks for.",
  "LW-PLUGIN-SERVICES": "A plugin needs a service that nobody provides.",

  // LW-AGENT: agents inside agents
  "LW-AGENT-SPEC": "The spec of an inner agent is not sound.",
  "LW-AGENT-INPUT": "An inner agent gets an input it does not declare, or lacks one.",
  "LW-AGENT-CYCLE": "Agents call each other in a circle.",

  // LW-FLOW: what reads what
  "LW-FLOW-NEVER-WRITTEN": "A stage or expression reads what no earlier stage writes.",
  "LW-FLOW-MAYBE-MISSING": "A stage or expression reads what may be missing.",
  "LW-FLOW-UNREACHABLE": "A stage can never run.",
  "LW-FLOW-NEVER-PASSES": "A check or loop can never pass.",
  "LW-FLOW-TWO-WRITERS": "Two branches that run beside each other set the same field.",
  "LW-FLOW-UNREAD": "A stage produces something that nobody reads.",
  "LW-FLOW-NO-ANSWER": "No stage gives an answer.",

  // LW-LIMIT: bounds and limits
  "LW-LIMIT-BELOW-BOUND": "The worst case is above a limit, so the run may end limited.",
  "LW-LIMIT-UNREACHABLE": "A limit is too small for the run to do anything.",
  "LW-LIMIT-UNBOUNDED": "A loop or list has no bound.",
  "LW-LIMIT-NO-PRICE": "A limit in dollars needs a price for every model that can be reached.",

  // LW-MODEL: models, roles, voices
  "LW-MODEL-UNKNOWN-ROLE": "A role is not listed in `models`.",
  "LW-MODEL-UNKNOWN-PROVIDER": "A provider or profile is not known.",
  "LW-MODEL-UNKNOWN-VOICE": "A strategy does not speak in this voice.",
  "LW-MODEL-SILENT-VOICE": "A strategy has this voice, and does not speak in it as it is used.",
  "LW-MODEL-FORM": "A model is not written as provider/name, a role, none, or a map with `use`.",
  "LW-MODEL-CYCLE": "Roles or fallbacks lead back to themselves.",
  "LW-MODEL-CALLS": "What a model says about its calls contradicts itself.",
  "LW-MODEL-OPTIONS":
    "No call can be made with the options of a model, or the fields over its profile.",
  "LW-MODEL-ALIKE-SAMPLES": "Several samples at temperature 0 will be alike.",
  "LW-MODEL-HOT-SCHEMA": "A stage whose reply must fit a schema samples above temperature 0.3.",
  "LW-MODEL-THINKS": "A model that thinks by itself is asked to think step by step.",
  "LW-MODEL-SELF-JUDGE": "An answer is judged by the model that wrote it, and by nothing else.",
  "LW-MODEL-NO-JUDGE": "A constraint has no rule, and no model judges it.",

  // LW-PROMPT: what is said to a model
  "LW-PROMPT-EXAMPLE-LEAK": "An example holds the task or its answer.",
  "LW-PROMPT-TOO-LONG": "A prompt holds more than twenty lines of instructions.",
  "LW-PROMPT-INPUT": "Instructions hold an input, which is data and could give orders.",

  // LW-TOOL: tools and their policies
  "LW-TOOL-UNKNOWN": "A tool is not listed in `tools`.",
  "LW-TOOL-GLOB": "A pattern matches no tool.",
  "LW-TOOL-ONCE-IN-FAN-OUT":
    "A tool that must run once is reachable from parallel branches without being named there.",
  "LW-TOOL-LOOSENED-POLICY": "A stage loosens the policy of a tool.",
  "LW-TOOL-LOOSENED-APPROVAL":
    "A policy asks for approval less often than the tool's effect would.",
  "LW-TOOL-OPTIONS": "Options of a tool do not fit each other or cannot be used.",
  "LW-TOOL-EFFECT": "A tool has an effect that its place does not allow.",
  "LW-TOOL-FALLBACK": "The fallback of a tool names no tool or itself.",
  "LW-TOOL-NO-MANUAL":
    "The description of a tool leaves out what it is for, when to use it, when not, or what comes back.",
  "LW-TOOL-ONCE-SAMPLED": "A tool that must run once is offered to several concurrent branches.",
  "LW-TOOL-POLICY": "A policy of a tool can have no effect, or contradicts another one.",
} as const;

/** A stable id of one kind of diagnostic. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
