import {
  defineToolSet,
  duration,
  type OptionsProblem,
  path,
  ProjectRoot,
  secret,
  SpecError,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { listTools } from "./mcp/list-tools.ts";
import { McpConnections } from "./shared/mcp/connections.ts";
import { type ServerSettings, serverName } from "./shared/mcp/server-settings.ts";

const options = Type.Object({
  command: Type.Optional(
    Type.String({
      minLength: 1,
      description: "The program that is the server; it is started when its tools are needed.",
    }),
  ),
  args: Type.Optional(
    Type.Array(Type.String(), {
      description: "The arguments of the program; only with `command`.",
    }),
  ),
  env: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description:
        "Variables of the program, beside PATH, HOME and a few more; only with `command`.",
    }),
  ),
  folder: Type.Optional(
    path({
      description:
        "The folder that the program runs in, by default the project root; only with `command`.",
    }),
  ),
  url: Type.Optional(
    Type.String({ description: "The http or https address of the server, instead of `command`." }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Headers of every request; only with `url`.",
    }),
  ),
  only: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description:
        "Which of the server's tools are offered, by name or pattern (`get_*`); all by default.",
    }),
  ),
  effect: Type.Optional(
    Type.Union([Type.Literal("read"), Type.Literal("idempotent"), Type.Literal("once")], {
      description:
        "What every tool of the entry does to the world, above what the server says of its tools.",
    }),
  ),
  startTimeout: duration({
    description: "How long the server may take to start and to answer for the first time.",
    default: 30_000,
  }),
});

/** The tools of an MCP server, over the standard streams of a program or over HTTP. */
export const mcp: ToolDefinition = defineToolSet({
  id: "mcp",
  description: `Offers the tools of a server that speaks the Model Context Protocol.
Use it for tools that such a server has, as a program of this machine (\`command\`) or at an address (\`url\`); \`only\` chooses among them.
Do not use it for a server that you do not trust: what its tools return is treated as data, but what they do is up to it. Do not list the same tool in two entries of one stage.
Each tool returns its text, or its structured content where it declares some; pictures and other files are only described. What a tool says it does to the world (its annotations) decides who is asked: one that says nothing acts once, and needs approval.`,
  options,
  effect: ({ effect }) => effect,
  validate: problemsOf,
  inject: { connections: McpConnections, projectRoot: ProjectRoot },
  create: (given, { connections, projectRoot }) => {
    const [problem] = problemsOf(given);
    if (problem !== undefined) throw new SpecError("spec-invalid", problem.message);
    const settings = settingsOf(given, projectRoot);
    return {
      list: async (signal, note) => {
        const connection = connections.to(settings);
        const tools = await listTools(connection, given, signal);
        if (connection.noise !== undefined)
          note(
            `the MCP server ${serverName(settings)} prints on its standard output what is no message, such as "${connection.noise}"; it should print that on stderr`,
          );
        return tools;
      },
    };
  },
});

interface Given {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly startTimeout: number;
}

function settingsOf(given: Given, projectRoot: string): ServerSettings {
  const { command, args = [], env = {}, folder, url, headers = {}, startTimeout } = given;
  return command === undefined
    ? { url: url ?? "", headers, startTimeoutMs: startTimeout }
    : { command, args, env, folder: folder ?? projectRoot, startTimeoutMs: startTimeout };
}

const ofCommand = ["args", "env", "folder"] as const;

function problemsOf(given: Given): readonly OptionsProblem[] {
  const { command, url, headers } = given;
  if (command === undefined && url === undefined)
    return [
      {
        message: "an MCP server is a `command` or has a `url`; neither is said",
        repair: "add `command: npx`, or `url: https://...`",
      },
    ];
  if (command !== undefined && url !== undefined)
    return [
      {
        message: "an MCP server is a `command` or has a `url`, not both",
        option: "url",
        repair: "delete `url` or `command`",
      },
    ];
  const others = ofCommand.filter((option) => given[option] !== undefined);
  const [option] = url === undefined ? (headers === undefined ? [] : ["headers"]) : others;
  if (option !== undefined) {
    const owner = url === undefined ? "url" : "command";
    return [
      {
        message: `\`${option}\` is taken only with \`${owner}\``,
        option,
        repair: `delete \`${option}\``,
      },
    ];
  }
  return url === undefined ? [] : addressProblems(url);
}

function addressProblems(text: string): readonly OptionsProblem[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    return [
      {
        message: `"${text}" is not an http or https address`,
        option: "url",
        repair: "write one like https://example.com/mcp",
      },
    ];
  if (url.username !== "" || url.password !== "")
    return [
      {
        message: "an address may not hold a user name or a password",
        option: "url",
        repair: "put them into a header",
      },
    ];
  return [];
}
