import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Bundles the command once before the tests that run it. */
export default function bundleCommand(): void {
  const script = fileURLToPath(new URL("../../../scripts/bundle.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--command"], { stdio: ["ignore", "ignore", "inherit"] });
}
