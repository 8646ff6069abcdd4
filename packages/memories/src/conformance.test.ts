import { join } from "node:path";
import { describeMemory, tempFolder } from "@loopwright/testkit";
import { file } from "./file.ts";
import { inProcess } from "./in-process.ts";

const folder = tempFolder();
let places = 0;

describeMemory(inProcess, { isShared: false });
describeMemory(file, {
  isShared: true,
  options: () => ({ path: join(folder, `lessons-${++places}.jsonl`) }),
});
