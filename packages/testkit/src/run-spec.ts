import {
  type CompileOptions,
  createApp,
  type PluginPackage,
  type ProvidedService,
  type Run,
  type RunEvent,
  type RunInput,
  type RunOutcome,
  type RunSettings,
} from "@loopwright/core";

/** How a spec is run in a test. */
export interface RunSpecOptions {
  readonly plugins: readonly PluginPackage[];
  readonly services?: readonly ProvidedService[];
  readonly input?: RunInput;
  readonly settings?: RunSettings;
  readonly compile?: CompileOptions;
  readonly root?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called once the run has started, before its first event: to answer approvals, to abort. */
  readonly onRun?: (run: Run) => void;
}

/** What a test run left. */
export interface SpecRun {
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
}

/** Compiles a spec, given as text or as a file, runs it once and collects its events; the app is closed afterwards. */
export async function runSpec(
  spec: string | { readonly file: string },
  options: RunSpecOptions,
): Promise<SpecRun> {
  const app = await createApp({
    plugins: options.plugins,
    services: options.services ?? [],
    discovery: false,
    ...(options.root === undefined ? {} : { root: options.root }),
    env: options.env ?? {},
  });
  try {
    const source = typeof spec === "string" ? { text: spec } : spec;
    const program = await app.compile(source, options.compile ?? {});
    const run = app.start(program, options.input ?? {}, options.settings ?? {});
    const events: RunEvent[] = [];
    run.on("*", (event) => events.push(event));
    options.onRun?.(run);
    return { outcome: await run.outcome, events };
  } finally {
    await app.close();
  }
}
