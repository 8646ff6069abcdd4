import { Container } from "inversify";
import { LRUCache } from "lru-cache";
import type { CallPlaces } from "../calls/call-places.ts";
import { onAborted } from "../calls/until-aborted.ts";
import { compileLoneModel } from "../compile/compile-lone-model.ts";
import type { CompileSettings } from "../compile/compile-settings.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { Usage } from "../contracts/message.ts";
import type { Provider } from "../contracts/provider.ts";
import { Clock, ProjectRoot } from "../contracts/service.ts";
import {
  AbortError,
  isLoopwrightError,
  PluginError,
  ProviderError,
  SpecError,
} from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";
import type { ModelEntry } from "../program/program.ts";
import { embedTexts } from "../run/embed-texts.ts";
import { costOf } from "../run/model-cost.ts";
import { formatDiagnostic } from "../spec/text/diagnostic.ts";
import { closeDeadlineMs, closeWithin } from "./close-within.ts";
import { bindDefinition, InstanceMaker } from "./make-instances.ts";
import { askerOf } from "./program-definitions.ts";
import type { ServiceScope } from "./services.ts";

/** Texts to turn into vectors, and the model that does it. */
export interface EmbedInput {
  /** As a spec writes one: `provider/name`, or a map with `use`, the provider's options, `price`, `retry` and the like. */
  readonly model: string | JsonObject;
  /** One at least, each with some words. */
  readonly texts: readonly string[];
  /** The length of each vector, where the model lets it be chosen. */
  readonly dimensions?: number;
  readonly signal?: AbortSignal;
}

/** What became of texts: one vector for each, in their order. */
export interface EmbedOutcome {
  readonly vectors: readonly (readonly number[])[];
  readonly usage: Usage;
  /** Dollars at the model's `price`; 0 where none is known. */
  readonly usd: number;
  /** How often the endpoint was asked. */
  readonly attempts: number;
}

/** What the embeddings of an app stand on. */
export interface EmbedderParts {
  readonly scope: ServiceScope;
  readonly redactor: Redactor;
  readonly calls: CallPlaces;
  readonly settings: CompileSettings & { readonly root: string };
}

interface OpenModel {
  readonly entry: ModelEntry;
  readonly provider: Provider;
  readonly clock: Clock;
}

/** Turns texts into vectors for a host; models of equal words are made once. */
export class Embedder {
  readonly #parts: EmbedderParts;
  readonly #models = new LRUCache<string, Promise<OpenModel>>({ max: 100 });
  readonly #closing = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: EmbedderParts) {
    this.#parts = parts;
  }

  async embed(input: EmbedInput): Promise<EmbedOutcome> {
    const work = this.#embed(input);
    const settled = work.catch(() => undefined);
    this.#underWay.add(settled);
    try {
      return await work;
    } finally {
      this.#underWay.delete(settled);
    }
  }

  async #embed({ model, texts, dimensions, signal }: EmbedInput): Promise<EmbedOutcome> {
    this.#closing.signal.throwIfAborted();
    requireTexts(texts);
    requireDimensions(dimensions);
    const { entry, provider, clock } = await this.#open(model);
    const place = this.#parts.calls.of(entry, provider, clock);
    const request = {
      model: entry.model,
      texts,
      ...(dimensions === undefined ? {} : { dimensions }),
    };
    const controller = new AbortController();
    const outer = [this.#closing.signal, ...(signal === undefined ? [] : [signal])];
    for (const one of outer) one.throwIfAborted();
    // One listener for each of them, however many embeddings.
    const leave = outer.map((one) => onAborted(one, () => controller.abort(one.reason)));
    try {
      const call = { entry, provider, place, clock, signal: controller.signal };
      const { vectors, usage, attempts } = await embedTexts(call, request);
      const price = entry.price ?? provider.capabilities(entry.model).price;
      return { vectors, usage, usd: costOf(usage, price), attempts };
    } catch (fault) {
      throw withoutSecrets(fault, this.#parts.redactor);
    } finally {
      for (const go of leave) go();
    }
  }

  /** Ends what is under way and waits for it, five seconds at most; nothing starts afterwards. */
  async close(): Promise<void> {
    this.#closing.abort(new AbortError("the app is closed; make another with createApp"));
    const all = (): unknown => Promise.all(this.#underWay);
    await closeWithin(closeDeadlineMs, "an embedding under way", all, this.#parts.redactor);
  }

  #open(model: EmbedInput["model"]): Promise<OpenModel> {
    const key = JSON.stringify(model);
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const made = this.#make(model);
    this.#models.set(key, made);
    // What could not be made is tried again: a package or a secret may come.
    made.catch(() => {
      if (this.#models.peek(key) === made) this.#models.delete(key);
    });
    return made;
  }

  async #make(model: EmbedInput["model"]): Promise<OpenModel> {
    const { scope, redactor, settings } = this.#parts;
    const { entry, diagnostics } = await compileLoneModel(model, "app.embed", settings);
    if (entry === undefined) {
      const errors = diagnostics.sorted().filter(({ severity }) => severity === "error");
      const said = errors.map((one) => formatDiagnostic(one)).join("\n\n");
      const text = said === "" ? "app.embed: `model` names none; write provider/name" : said;
      throw new SpecError("spec-invalid", text, { details: { diagnostics: errors } });
    }
    requireNoFallback(entry);
    const faults = await scope.missing(askerOf(entry.definition));
    if (faults.length > 0)
      throw new PluginError("plugin-services-missing", faults.join("\n"), { details: { faults } });
    const container = new Container({ parent: scope.container });
    container.bind(ProjectRoot.symbol).toConstantValue(settings.root);
    bindDefinition(container, entry.definition);
    const maker = new InstanceMaker(container, redactor);
    const { profile, model: name, overrides } = entry;
    const extra = { profile, model: name, ...(overrides === undefined ? {} : { overrides }) };
    const provider = (await maker.make(entry.definition, entry.options, extra)) as Provider;
    return { entry, provider, clock: await container.getAsync<Clock>(Clock.symbol) };
  }
}

function requireTexts(texts: readonly string[]): void {
  const fault = (message: string): SpecError =>
    new SpecError("input-invalid", `app.embed: ${message}`);
  if (!Array.isArray(texts) || texts.length === 0)
    throw fault("`texts` is a list of one text at least");
  const bare = texts.findIndex((text: unknown) => typeof text !== "string" || text.trim() === "");
  if (bare !== -1) throw fault(`\`texts[${bare}]\` is no text with words; leave it out`);
}

function requireDimensions(dimensions: number | undefined): void {
  if (dimensions === undefined || (Number.isSafeInteger(dimensions) && dimensions > 0)) return;
  throw new SpecError("input-invalid", "app.embed: `dimensions` is a whole number from 1");
}

function requireNoFallback({ id, fallback }: ModelEntry): void {
  if (fallback.length === 0) return;
  throw new SpecError(
    "input-invalid",
    `app.embed: ${id} has a \`fallback\`, and vectors of two models can't be compared; take it out`,
  );
}

function withoutSecrets(fault: unknown, redactor: Redactor): unknown {
  if (!isLoopwrightError(fault) || redactor.text(fault.message) === fault.message) return fault;
  const { code, retryable, message } = fault;
  return new ProviderError(code, redactor.text(message), { retryable });
}
