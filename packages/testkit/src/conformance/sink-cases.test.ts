import { defineSink, type RunEvent, type SinkDefinition, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";
import { sinkCases } from "./sink-cases.ts";

/** A page that everything is written on, and the sink that writes it. */
class Book {
  readonly pages: string[] = [];
  readonly #told: string[] = [];
  handle(event: RunEvent): void {
    this.#told.push(JSON.stringify(event));
  }
  flush(): void {
    this.pages.push(...this.#told.splice(0));
  }
}

const good: SinkDefinition = defineSink({
  id: "book",
  description: "Writes events into a book.",
  options: Type.Object({}),
  create: () => new Book(),
});
const open = () => ({ told: (sink: unknown) => (sink as Book).pages.join("\n") });

const writing = (change: (book: Book) => void): object => ({
  create: () => {
    const book = new Book();
    change(book);
    return book;
  },
});
const handling = (handle: (event: RunEvent, book: Book) => void): object =>
  writing((book) => {
    const own = book.handle.bind(book);
    book.handle = (event) => {
      handle(event, book);
      own(event);
    };
  });

const bad: Readonly<Record<string, { readonly fault: object; readonly found: string }>> = {
  "room for nothing": {
    fault: { overflow: { maxEvents: 0, maxBytes: 1, policy: "block" } },
    found: "bounds what may wait",
  },
  "create that waits": {
    fault: { create: async () => new Book() },
    found: "is created at once",
  },
  "a flush that keeps everything": {
    fault: writing((book) => {
      book.flush = () => undefined;
    }),
    found: "tells a run by the time it is flushed",
  },
  "one run and no other": {
    fault: (() => {
      const seen = new WeakMap<Book, string>();
      return writing((book) => {
        const own = book.handle.bind(book);
        book.handle = (event) => {
          if (!seen.has(book)) seen.set(book, event.runId);
          if (seen.get(book) === event.runId) own(event);
        };
      });
    })(),
    found: "serves several runs",
  },
  "a hand on the events": {
    fault: handling((event) => {
      (event as { stage: string }).stage = "mine";
    }),
    found: "tells a run by the time it is flushed",
  },
  "a belief in order": {
    fault: (() => {
      const started = new WeakMap<Book, Set<string>>();
      return handling((event, book) => {
        const runs = started.get(book) ?? new Set<string>();
        started.set(book, runs);
        if (event.name === "run.start") runs.add(event.runId);
        else if (!runs.has(event.runId)) throw new Error("no such run");
      });
    })(),
    found: "takes events in any order",
  },
  "a closed list of names": {
    fault: handling((event) => {
      if ((event.name as string) === "thing.happened") throw new Error("what is that?");
    }),
    found: "takes an event that it does not know",
  },
  "a start that it can't do without": {
    fault: (() => {
      const spans = new WeakMap<Book, Map<string, number>>();
      return handling((event, book) => {
        const times = spans.get(book) ?? new Map<string, number>();
        spans.set(book, times);
        if (event.name.endsWith(".start")) times.set(event.spanId, event.time);
        if (event.name.endsWith(".end")) (times.get(event.spanId) as number).toFixed(0);
      });
    })(),
    found: "takes events without the scope",
  },
  "a flush before the first event": {
    fault: writing((book) => {
      const own = book.flush.bind(book);
      let hasEvents = false;
      const handle = book.handle.bind(book);
      book.handle = (event) => {
        hasEvents = true;
        handle(event);
      };
      book.flush = () => {
        if (!hasEvents) throw new Error("nothing to write");
        own();
      };
    }),
    found: "may be flushed and closed at any time",
  },
};

describe("the suite of a sink", () => {
  it("passes a good sink", async () => {
    expect(await failuresOf(sinkCases(good, open))).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { fault, found }) => {
    const failed = await failuresOf(sinkCases({ ...good, ...fault }, open));
    expect(failed).toContainEqual(expect.stringContaining(found));
  });

  it("has a bad sink for every case of its own", () => {
    const own = sinkCases(good, open).slice(definitionCases(good, "sink").length);
    const found = Object.values(bad).map((one) => one.found);
    const unproved = own.filter(({ name }) => !found.some((part) => name.includes(part)));
    expect(unproved.map(({ name }) => name)).toEqual([]);
  });
});
