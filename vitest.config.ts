import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: {
    resolve: { conditions: ["@loopwright/source", "node", "import", "module", "default"] },
  },
  test: {
    // Many tests wait for processes of their own: of two cores one would stand idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ["default", "./scripts/closing-line.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**"], exclude: ["**/*.test.ts"] },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "examples/*/{src,test}/**/*.test.ts",
            "scripts/*.test.ts",
          ],
          exclude: ["**/*.e2e.test.ts", "**/node_modules/**", "**/dist/**"],
          testTimeout: 15_000,
          // Files of one worker share their modules: loading core anew for each took longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["{packages,examples}/*/{src,test}/**/*.e2e.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          testTimeout: 60_000,
          globalSetup: ["packages/cli/test/bundle-command.ts"],
          benchmark: { include: [] },
        },
      },
    ],
  },
});
