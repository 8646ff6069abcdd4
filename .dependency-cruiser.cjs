const pluginPackages = "strategies|providers|anthropic|tools|checks|sinks|memories";

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-unresolved",
      comment: "An import names a module that does not exist or that the package does not list.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-cycles",
      comment: "Files import each other in a circle. Move what both need into a file of its own.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "core-imports-no-package",
      comment: "Core knows no other package. Take what it needs through a contract.",
      severity: "error",
      from: { path: "^packages/core/src/" },
      to: { path: "^(packages/(?!core/)|examples/|bench/)" },
    },
    {
      name: "plugins-use-the-plugin-door",
      comment: "A plugin imports @loopwright/core/plugin and nothing else of core.",
      severity: "error",
      from: { path: `^(packages/(${pluginPackages})|examples/order-desk)/src/` },
      to: { path: "^packages/core/", pathNot: "^packages/core/src/plugin\\.ts$" },
    },
    {
      name: "plugins-are-islands",
      comment: "A plugin file imports its own folder or ./shared, never a sibling.",
      severity: "error",
      from: {
        // $2 is the plugin: `openai` for openai.ts and openai/…, `control/loop` for control/loop.ts.
        path: `^packages/(${pluginPackages})/src/((?:control/)?[^/]+?)(?:/|\\.ts$)`,
        pathNot: "^packages/[^/]+/src/(index|builtin)\\.ts$",
      },
      to: {
        path: "^(packages/(?!core/)|examples/|bench/)",
        pathNot: ["^packages/$1/src/$2(/|\\.ts$)", "^packages/$1/src/shared(/|\\.ts$)"],
      },
    },
    {
      name: "plugins-are-islands",
      comment: "A plugin package imports no other package of this repository but core.",
      severity: "error",
      from: { path: `^packages/(${pluginPackages})/src/(index|builtin)\\.ts$` },
      to: { path: "^(packages/(?!core/)|examples/|bench/)", pathNot: "^packages/$1/" },
    },
    {
      name: "leaves-stay-leaves",
      comment: "Core's errors import only their own folder.",
      severity: "error",
      from: { path: "^packages/core/src/errors(/|\\.ts$)" },
      to: { pathNot: "^packages/core/src/errors(/|\\.ts$)" },
    },
    {
      name: "leaves-stay-leaves",
      comment: "Core's contracts import only their own folder, errors and the schema types.",
      severity: "error",
      from: { path: "^packages/core/src/contracts/" },
      to: {
        pathNot: [
          "^packages/core/src/contracts/",
          "^packages/core/src/errors(/|\\.ts$)",
          "(^|/)node_modules/@sinclair/typebox/",
        ],
      },
    },
    ...[
      ["spec", "program|compile|validation|structured|output|events|calls|run|tools|schema"],
      ["program", "compile|validation|structured|output|events|calls|run|tools|schema"],
      ["validation", "structured|output|calls|compile|run|tools|schema"],
      ["structured", "program|output|events|calls|compile|run|tools|schema"],
      ["output|events", "calls|compile|run|tools|schema"],
      ["calls", "validation|structured|output|events|compile|run|tools|schema"],
      ["compile", "events|calls|run|tools|schema"],
      ["run|tools", "compile|schema"],
      ["schema", "validation|structured|output|events|calls|run|tools"],
    ].map(([lower, upper]) => ({
      name: "core-builds-upwards",
      comment: "A folder of core imports only what ARCHITECTURE.md puts below it.",
      severity: "error",
      from: { path: `^packages/core/src/(${lower})/` },
      to: { path: `^packages/core/src/(${upper})/` },
    })),
    {
      name: "only-the-door-wires",
      comment: "The container is set up for core's index.ts alone.",
      severity: "error",
      from: { pathNot: "^packages/core/src/(index\\.ts$|wiring/)" },
      to: { path: "^packages/core/src/wiring/" },
    },
    {
      name: "one-composition-root",
      comment: "The container library is used in core's wiring alone.",
      severity: "error",
      from: { pathNot: "^packages/core/src/wiring/" },
      to: {
        path: "(^|/)node_modules/(inversify|@inversifyjs|reflect-metadata)/|^(inversify|@inversifyjs|reflect-metadata)(/|$)",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Tests may reach what they test; dist is made from src.
    exclude: { path: "\\.(test|bench)\\.ts$|(^|/)dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@loopwright/source", "import", "node", "default", "types"],
    },
  },
};
