import { dirname } from "node:path";
import { type App, type KeyCatalogue, loadSpecSchema, projectRoot } from "@loopwright/core";
import { openApp } from "../open-app.ts";

/** A project that specs belong to: its plugins, and what a spec may say with them. */
export interface Project {
  /** Absolute. */
  readonly root: string;
  readonly app: App;
  readonly catalogue: KeyCatalogue;
  /** The ids by which a model's provider may be named. */
  readonly providers: readonly string[];
}

/** Where projects are found. */
export interface ProjectSettings {
  /** The root of every spec; by default the folder of the nearest package.json above each. */
  readonly root?: string;
  readonly discovery: boolean;
}

/** The projects of the specs that an editor has open, each opened once. */
export class Projects {
  readonly #settings: ProjectSettings;
  readonly #open = new Map<string, Promise<Project>>();

  constructor(settings: ProjectSettings) {
    this.#settings = settings;
  }

  /** The project of a file. */
  of(file: string): Promise<Project> {
    const root = this.#settings.root ?? projectRoot(dirname(file));
    const known = this.#open.get(root) ?? openProject(root, this.#settings.discovery);
    this.#open.set(root, known);
    return known;
  }
}

async function openProject(root: string, discovery: boolean): Promise<Project> {
  const { app } = await openApp({ root, discovery });
  const { specSchema, openKeyCatalogue } = await loadSpecSchema();
  const catalogue = openKeyCatalogue(specSchema(await app.definitions()));
  const providers = app
    .plugins()
    .plugins.filter(({ kind }) => kind === "provider")
    .flatMap(({ id, profiles }) => [...profiles, id]);
  return { root, app, catalogue, providers };
}
