import { describe, expect, it } from "vitest";
import { faultOfPattern } from "./safe-pattern.ts";

describe("faultOfPattern", () => {
  it.each([
    "^[A-Z]{2}-\\d+$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$",
    "^(?:[0-9a-f]{4}-){3}[0-9a-f]{4}$",
    "^(?<code>AB|CD)?\\d*$",
    "^(https?)://[^/]+/.*$",
    "\\bhello\\b",
    "foo.*",
    "^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$",
    "^\\p{Lu}\\p{L}+$",
    "^(a|b|c)$",
    "^[^\\s]+\\s[^\\s]+$",
    "^\\(\\)*$",
  ])("accepts %s", (pattern) => {
    expect(faultOfPattern(pattern)).toBeUndefined();
  });

  it.each([
    ["(a+)+$", /repeats a group/],
    ["^(a|a)*$", /repeats a group/],
    ["^(?:a?){30}a$", /repeats a group/],
    ["^(?:(?:a*)b)*$", /repeats a group/],
    ["(?=a)b", /looks around/],
    ["(?<!a)b", /looks around/],
    ["(a)\\1", /refers back/],
    ["^a*a*a*a*b$", /open length/],
    [".*a.*b.*c$", /open length/],
    [`^${"a?".repeat(30)}${"a".repeat(30)}$`, /open length/],
    ["^[ab]*a*b[ab]*b[ab]*$", /open length/],
    ["[", /malformed/],
    ["", /malformed: it is empty/],
    ["a".repeat(201), /longer than 200/],
  ])("refuses %s", (pattern, message) => {
    expect(faultOfPattern(pattern)?.message).toMatch(message);
  });
});
