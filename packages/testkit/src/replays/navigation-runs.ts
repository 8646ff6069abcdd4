import type { RecordedRun, RecordedStep } from "./recorded-run.ts";

const START = "WebShop \n[Search]";
const BOUGHT = "Your score (min 0.0, max 1.0): 1.0";

/** Hand-made runs that do the same again and are no loop, in the forms of WebShop. */
export const navigationRuns: readonly RecordedRun[] = [
  run("pages through nine pages of results", [
    search("usb cable", page(1)),
    ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => click("Next >", page(number))),
    click("B9", item("B9")),
    click("Buy Now", BOUGHT),
  ]),
  run("pages forth and back, and then on", [
    search("usb cable", page(1)),
    click("Next >", page(2)),
    click("< Prev", page(1)),
    click("Next >", page(2)),
    click("Next >", page(3)),
    click("Next >", page(4)),
    click("< Prev", page(3)),
    click("B3", item("B3")),
    click("Buy Now", BOUGHT),
  ]),
  run("looks at six items of one page and goes back to it after each", [
    search("usb cable", page(1)),
    ...["A1", "A2", "A3", "A4", "A5"].flatMap((id) => [
      click(id, item(id)),
      click("< Prev", page(1)),
    ]),
    click("A6", item("A6")),
    click("Buy Now", BOUGHT),
  ]),
  run("goes back to the search between six searches", [
    ...["red cable", "red usb cable", "usb c cable", "3 foot cable", "short cable"].flatMap(
      (words) => [search(words, `Results for ${words} \n[Next >]`), click("Back to Search", START)],
    ),
    search("red 3 foot cable", page(1)),
    click("A1", item("A1")),
    click("Buy Now", BOUGHT),
  ]),
  run("reads the parts of three items and goes back from each", [
    search("usb cable", page(1)),
    ...["A1", "A2", "A3"].flatMap((id) => [
      click(id, item(id)),
      click("Description", `What ${id} is. \n[< Prev]`),
      click("< Prev", item(id)),
      click("Features", `What ${id} can do. \n[< Prev]`),
      click("< Prev", item(id)),
      click("< Prev", page(1)),
    ]),
    click("A3", item("A3")),
    click("Buy Now", BOUGHT),
  ]),
];

/** Hand-made runs that go in circles: the guard must end them. */
export const circlingRuns: readonly RecordedRun[] = [
  run("clicks one option for ever", [
    search("usb cable", page(1)),
    ...Array.from({ length: 14 }, () => click("red", "You have clicked red.")),
  ]),
  run("goes forth and back between a page and one item for ever", [
    search("usb cable", page(1)),
    ...Array.from({ length: 10 }, () => [click("A1", item("A1")), click("< Prev", page(1))]).flat(),
  ]),
];

function run(name: string, steps: readonly RecordedStep[]): RecordedRun {
  return { name, task: "Buy a short red usb cable.", steps, answer: "The episode is over." };
}

function search(on: string, observation: string): RecordedStep {
  return { tool: "search", input: { on }, observation };
}

function click(on: string, observation: string): RecordedStep {
  return { tool: "click", input: { on }, observation };
}

function page(number: number): string {
  return `[Back to Search] \nPage ${number} (Total results: 50) \n[< Prev] \n[Next >] \n[A${number}] [B${number}]`;
}

function item(id: string): string {
  return `[Back to Search] \n[< Prev] \nThe item ${id} \n[Description] \n[Features] \n[Buy Now]`;
}
