import type { PluginPackage } from "@loopwright/core";
import { galleryPlugins } from "../../../../fixtures/gallery/plugins.ts";
import { builtIn } from "./example-specs.ts";
import { orderTools } from "./order-desk-run.ts";

const standIns = new Set(galleryPlugins.entries.map(({ kind, id }) => `${kind} ${id}`));

/** What the specs of the gallery are checked with: its stand-ins take the place of built-in plugins of their name. */
export const galleryPackages: readonly PluginPackage[] = [
  ...builtIn.map(({ name, entries }) => ({
    name,
    entries: entries.filter(({ kind, id }) => !standIns.has(`${kind} ${id}`)),
  })),
  orderTools,
  galleryPlugins,
];
