/** What each key of a spec is for, by the place where it stands; editors show it. */
export const KEY_DESCRIPTIONS: Readonly<Record<KeyPlace, Readonly<Record<string, string>>>> = {
  spec: {
    apiVersion: "The version of the spec language.",
    name: "The agent's name, in kebab-case.",
    version: "The agent's own version, as text.",
    description: "What the agent does, in a sentence.",
    extends: "A spec that this one builds on: its maps merge, everything else is replaced.",
    plugins: "Packages that the spec's plugins come from, like `@acme/loopwright-search@^1`.",
    workspace: "The folder that tools work in; it must exist.",
    dryRun: "Tools act on nothing; what they would do is told.",
    inputs: "What a run is given: closed and required, unless a field has a default.",
    task: "What to do: text, or a map of text, mission, deliverable and constraints.",
    instructions: "Adds to the system text of every stage; levels add up.",
    glossary: "Domain terms; only those present in the task or the last thought enter a prompt.",
    language: "The language of core's own prompts.",
    model: "The default model: provider/name, or a map with `use`.",
    models: "Further models by role.",
    toolPolicy: "The policy of every tool, below what a tool says itself.",
    tools: "The tools: a list of ids, or a map of your names.",
    memory: "Memories by your names.",
    strategies: "Stages by your names, used as one word in `strategy`.",
    strategy: "The stages: one, or a list that runs in order.",
    output: "What the answer must hold.",
    limits: "What a run may cost; beyond them it ends `limited`.",
    sinks: "Who listens to the run's events.",
    switches: "What may be turned off on a live run.",
    overlays: "Named changes of this spec, applied with `--overlay`.",
    cases: "A file of cases that judge the agent on whole tasks.",
  },
  patch: {
    stages: "Options of stages, by their id.",
    "stages-": "Stages to take out, by their id.",
  },
  common: {
    id: "The stage's name; `results.<id>` is what it produced.",
    when: "The stage runs only if this is true.",
    always: "The stage also runs when the run ends early.",
    model: "The stage's model, or one by voice.",
    instructions: "Adds to the system text of this stage.",
    prompt: "Replaces the strategy's own template, or one by voice.",
    examples: "Worked examples.",
    tools:
      "Which tools the stage may call: read, none, all, names, or a map that tightens policies.",
    limits: "What the stage may cost.",
    onError: "Whether a failure of the stage ends the run.",
  },
  model: {
    use: "The model: provider/name.",
    extends: "The role whose settings these change.",
    temperature: "How varied replies are; 0 is the least.",
    maxTokens: "The longest reply, in tokens.",
    effort: "How much the model thinks before it replies.",
    profile:
      "The profile of the provider, where the id does not say it; or { extends: ID, ...fields } to change parts of one.",
    timeout: "How long the whole reply may take, or { total, first, idle }.",
    retry: "How often a call that fails is tried, or { attempts, first, max }; 1 is no second try.",
    breaker: "After so many failures in a row no call goes out for a while; or none.",
    rateLimit: "The most calls of the account in a time, like 60/1m.",
    tokenRate: "The most tokens of the account in a time, sent and received, like 200k/1m.",
    maxParallel: "The most calls of the account at one time.",
    structured:
      "How a schema is asked for: by the endpoint (`json-schema`), as any JSON (`json-mode`), or in words (`prompt`); the best that the endpoint has unless said.",
    price: "Dollars for a million tokens.",
    fallback: "Models that stand in, in order, when this one fails.",
  },
  price: {
    input: "Dollars for a million tokens sent.",
    output: "Dollars for a million tokens received.",
    cacheRead: "Dollars for a million tokens read from the provider's cache.",
    cacheWrite: "Dollars for a million tokens written to the provider's cache.",
  },
  tool: {
    use: "The plugin's id; left out when it equals the name.",
    description: "What the model reads about the tool: purpose, when, when not, what comes back.",
    spec: "The spec of the agent that the tool runs.",
  },
  policy: {
    approval: "Whether a person must agree before a call.",
    deny: "Calls that are refused.",
    timeout: "The longest a call may take.",
    retry: "How often a call is tried, or { attempts, first, max }.",
    cache: "How long the result of the same call is reused; only for tools that read.",
    rateLimit: "The most calls in a time, like 10/1m.",
    breaker: "Rests the tool after so many failures in a row.",
    repeat: "The same call with the same result so often in one run is a loop.",
    coolDown: "How many calls a failing tool sits out.",
    polls: "The tool is asked again on purpose: repeating it is no loop.",
    maxParallel: "The most calls at one time.",
    maxResult: "The most characters of a result.",
    limits: "What all calls of the tool in one run may cost.",
    expires: "How long an approval is waited for; then the call is denied.",
    reason: "Why the policy is as it is; a person who approves reads it.",
    fallback: "A text, or the name of another tool, that stands in when the tool fails.",
  },
  retry: {
    attempts: "How many tries in all.",
    first: "The wait before the second try.",
    max: "The longest wait between tries.",
  },
  breaker: {
    failures: "How many failures in a row.",
    rest: "How long it rests.",
  },
  timeout: {
    total: "The longest that a whole reply may take.",
    first: "The longest wait for the first piece of a reply.",
    idle: "The longest pause between two pieces of a reply.",
  },
  profile: {
    extends: "The profile whose fields these change; the one that `use` names unless said.",
  },
  task: {
    text: "What to do.",
    mission: "Who the agent is and what it is for.",
    deliverable: "What must come out.",
    constraints: "What must hold; a text, or { text, rule }.",
  },
  constraint: {
    text: "The constraint in words.",
    rule: "The expression that decides it.",
  },
  output: {
    fields: "The fields of the answer: closed, all required.",
    schema: "A JSON Schema instead of `fields`.",
    reasoning:
      "Where the model reasons: nowhere, in a field before the others (`first`), in a call of its own (`separate`), or in text before the fields (`free`).",
    checks: "Checks of the finished answer.",
    repair: "How often a reply that does not fit is sent back; a count, or { format, checks }.",
    deadLetter: "The file that keeps a run which gave no valid answer, to be tried again.",
  },
  repair: {
    format: "How often a reply is sent back that does not fit the fields.",
    checks: "How often one is sent back that fits them and breaks a check.",
  },
  limits: {
    modelCalls: "The most model calls.",
    toolCalls: "The most tool calls.",
    tokens: "The most tokens, sent and received.",
    usd: "The most dollars; every model needs a price.",
    time: "The longest a run may take.",
    workTime: "The longest a run may take, waiting for people excluded.",
  },
  switch: {
    stages: "Stages that go off.",
    tools: "Tools that go off.",
    limits: "Limits that go down.",
  },
  example: {
    task: "The example's task.",
    answer: "The example's answer.",
    reasoning: "How the answer is found.",
    avoid: "What to avoid; a wrong turn.",
  },
};

/** The places whose keys are described. */
export type KeyPlace =
  | "spec"
  | "patch"
  | "common"
  | "model"
  | "price"
  | "tool"
  | "policy"
  | "retry"
  | "breaker"
  | "timeout"
  | "profile"
  | "task"
  | "constraint"
  | "output"
  | "repair"
  | "limits"
  | "switch"
  | "example";
