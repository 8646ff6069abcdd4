import { describe, expect, it } from "vitest";
import { retryAfterMsOf } from "./retry-after.ts";
import { type Place, toProviderError } from "./to-provider-error.ts";
import { UnreadableReply } from "./unreadable-reply.ts";

const place: Place = {
  baseUrl: "https://api.example.com/v1",
  model: "m-1",
  keyName: "EXAMPLE_API_KEY",
  key: "sk-canary",
  now: Date.parse("2026-01-01T00:00:00Z"),
};

describe("faults", () => {
  it.each([
    [400, "provider-rejected", false],
    [401, "provider-unauthorized", false],
    [402, "provider-rejected", false],
    [403, "provider-unauthorized", false],
    [404, "provider-rejected", false],
    [408, "provider-unavailable", true],
    [409, "provider-unavailable", true],
    [413, "provider-rejected", false],
    [422, "provider-rejected", false],
    [429, "provider-unavailable", true],
    [500, "provider-unavailable", true],
    [529, "provider-unavailable", true],
  ])("%i is %s, retryable: %s", (status, code, retryable) => {
    const error = toProviderError(
      { status, error: { message: "no" }, headers: new Headers() },
      place,
    );
    expect(error).toMatchObject({
      code,
      retryable,
      details: { host: "api.example.com", status, serverMessage: "no" },
    });
    expect(error.message).toMatch(new RegExp(`^api\\.example\\.com answered ${status}: no\\. \\S`));
  });

  it("is not retryable when the account is empty", () => {
    const fault = {
      status: 429,
      code: "insufficient_quota",
      error: { message: "quota" },
      headers: new Headers(),
    };
    expect(toProviderError(fault, place)).toMatchObject({
      code: "provider-rejected",
      retryable: false,
    });
  });

  it("never shows the key", () => {
    const error = toProviderError({ status: 401, error: { message: "bad key sk-canary" } }, place);
    expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain("sk-canary");
    expect(error.message).toContain("EXAMPLE_API_KEY");
  });

  it("never shows the user, the password or the query of the endpoint", () => {
    const baseUrl = "https://u:SECRETPW@api.example.com/v1?key=SECRETQ";
    const faults = [
      Object.assign(new Error("no"), { code: "ECONNREFUSED" }),
      Object.assign(new Error("no"), { code: "ENOTFOUND" }),
      new TypeError(`Request cannot be constructed from ${baseUrl}/chat/completions`),
    ];
    for (const fault of faults) {
      const { message, details } = toProviderError(fault, { ...place, baseUrl });
      expect(message).toContain("api.example.com");
      expect(`${message} ${JSON.stringify(details)}`).not.toContain("SECRET");
    }
  });

  it("reads an error that came inside a stream", () => {
    expect(toProviderError({ error: { message: "busy", code: 529 } }, place)).toMatchObject({
      code: "provider-unavailable",
    });
    expect(toProviderError({ error: "boom" }, place)).toMatchObject({
      code: "provider-failed",
      retryable: true,
    });
  });

  it("names a host that does not exist", () => {
    const thrown = new Error("Connection error.", {
      cause: new TypeError("fetch failed", {
        cause: Object.assign(new Error("x"), { code: "ENOTFOUND" }),
      }),
    });
    expect(toProviderError(thrown, place).message).toContain(
      "The host api.example.com can't be found",
    );
  });
});

describe("retry-after", () => {
  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "7", "retry-after-ms": "1500" }, 1_500],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%o", (headers, expected) => {
    expect(retryAfterMsOf(new Headers(headers as Record<string, string>), place.now)).toBe(
      expected,
    );
  });
});

describe("what a router says for the endpoint behind it", () => {
  const wrapped = (raw: unknown): object => ({
    status: 400,
    error: { message: "Provider returned error", code: 400, metadata: { raw } },
  });
  const inner = { message: "json_schema is not supported", code: "bad_form", param: "x" };

  it.each([
    ["a body as text", JSON.stringify({ error: inner })],
    ["a body", { error: inner }],
    ["a list", [{ error: inner }]],
    ["an error", inner],
    ["words", "json_schema is not supported"],
  ])("is read: %s", (_name, raw) => {
    const error = toProviderError(wrapped(raw), { ...place, layer: "json-schema" });
    expect(error.message).toContain("Provider returned error: json_schema is not supported. ");
    expect(error.details).toMatchObject({ lacks: "json-schema" });
  });

  it("is taken for its code, and a bad answer for one", () => {
    expect(toProviderError(wrapped({ error: inner }), place).details).toMatchObject({
      serverCode: "bad_form",
    });
    const raw = { error: { message: "response_format", code: "json_validate_failed" } };
    const error = toProviderError(wrapped(raw), { ...place, layer: "json-schema" });
    expect(error).toMatchObject({ code: "provider-failed", retryable: true });
  });

  it.each([undefined, null, 4, "", "{", {}, { metadata: { raw: { metadata: {} } } }])(
    "may be nothing: %j",
    (raw) => {
      expect(toProviderError(wrapped(raw), place).message).toContain("Provider returned error");
    },
  );
});

it.each([0, 1, 9, 150, 190, 199, 200, 940, 980, 995, 1_000])(
  "holds no part of the key where it cuts what came (%i characters before it)",
  (count) => {
    const said = `${"x".repeat(count)}${place.key}${" tail".repeat(300)}`;
    const told = toProviderError(new UnreadableReply(said), place);
    expect(`${told.message} ${JSON.stringify(told.details)}`).not.toMatch(/sk-|canary/);
    expect(told).toMatchObject({ code: "provider-failed", retryable: false });
    expect(told.message.length).toBeLessThan(500);
    expect(told.details?.["reply"]).toHaveLength(1_000);
  },
);
