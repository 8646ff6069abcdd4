import { expect, test } from "vitest";
import { COMMANDS } from "./command-table.ts";
import { EXITS, USAGE } from "./help-texts.ts";

const texts = [USAGE, EXITS, ...[...COMMANDS.values()].map(({ help }) => help)];

test("every help text fits 80 columns", () => {
  const wide = texts.flatMap((text) => text.split("\n")).filter((line) => line.length > 80);
  expect(wide).toEqual([]);
});

test.each([...COMMANDS.values()])(
  "the help of $name tells every option and an example",
  (command) => {
    for (const option of Object.keys(command.options))
      expect(command.help).toContain(`--${option}`);
    expect(command.help).toContain(`loopwright ${command.name}`);
  },
);
