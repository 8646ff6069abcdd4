import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A project of somebody else in a folder of its own, with plugin packages that are linked into its node_modules. */
export interface TempProject {
  readonly root: string;
  /** Adds a package: its files by path, `package.json` as data. */
  add(name: string, manifest: object, files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

const CORE = fileURLToPath(new URL("../../../core", import.meta.url));

/** Makes a project that depends on core and on every package that is added. */
export async function tempProject(): Promise<TempProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "loopwright-project-")));
  const dependencies: Record<string, string> = { "@loopwright/core": "*" };
  const writeManifest = (): Promise<void> =>
    writeFile(join(root, "package.json"), JSON.stringify({ name: "project", dependencies }));
  await link(CORE, join(root, "node_modules", "@loopwright", "core"));
  await writeManifest();
  return {
    root,
    add: async (name, manifest, files) => {
      const folder = join(root, "packages", name);
      const head = { name, version: "1.0.0", type: "module", keywords: ["loopwright-plugin"] };
      const all = { "package.json": JSON.stringify({ ...head, ...manifest }), ...files };
      for (const [file, text] of Object.entries(all)) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), text);
      }
      await link(folder, join(root, "node_modules", name));
      dependencies[name] = "*";
      await writeManifest();
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, "junction");
}
