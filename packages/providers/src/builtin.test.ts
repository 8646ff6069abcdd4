import { expect, it } from "vitest";
import { profileOf } from "./openai/profiles.ts";
import { providers } from "./index.ts";

it("loads each entry under its id", async () => {
  const ids = await Promise.all(
    providers.entries.map(async (entry) => [(await entry.load()).id, (await entry.load()).kind]),
  );
  expect(ids).toEqual(providers.entries.map((entry) => [entry.id, "provider"]));
});

it("has an endpoint of its own for each profile", () => {
  const profiles = providers.entries.flatMap((entry) => entry.profiles ?? []);
  const endpoints = new Set(["openai", ...profiles].map((id) => profileOf(id).endpoint));
  expect(endpoints.size).toBe(profiles.length + 1);
});
