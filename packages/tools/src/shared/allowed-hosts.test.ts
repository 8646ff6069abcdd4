import { describe, expect, it } from "vitest";
import { allowProblems, isAllowed } from "./allowed-hosts.ts";

describe("hosts that a spec opens", () => {
  it.each([
    ["api.example.com", "https://api.example.com/x", true],
    ["api.example.com", "http://api.example.com/x", true],
    ["API.example.com", "https://api.EXAMPLE.com./", true],
    ["api.example.com", "https://api.example.com:8443/", false],
    ["api.example.com", "https://api.example.com.evil.test/", false],
    ["api.example.com", "https://evil-api.example.com/", false],
    ["api.example.com", "https://api.example.com@evil.test/", false],
    ["*.example.com", "https://a.b.example.com/", true],
    ["*.example.com", "https://example.com/", false],
    ["*.example.com", "https://evilexample.com/", false],
    ["example.com:8080", "http://example.com:8080/", true],
    ["example.com:8080", "http://example.com/", false],
    ["example.com:443", "https://example.com/", true],
    ["example.com:*", "http://example.com:81/", true],
    ["[::1]:8080", "http://[::1]:8080/", true],
    ["[::1]", "http://[::1]/", true],
    ["[::1]:*", "http://[::1]:81/", true],
    ["[::ffff:1.2.3.4]", "http://[::ffff:1.2.3.4]/", true],
    ["[0:0:0:0:0:0:0:1]", "http://[::1]/", true],
    ["example.com.", "https://example.com/", true],
    ["*.example.com.", "https://a.example.com/", true],
    ["0x7f.1", "http://127.0.0.1/", true],
    ["example.com:0080", "http://example.com/", true],
    ["*", "https://any.test/", true],
    ["*", "https://any.test:99/", false],
  ])("%s and %s: %s", (entry, url, isOpen) => {
    expect(isAllowed(new URL(url), [entry])).toBe(isOpen);
  });

  it("opens nothing where the list is empty", () => {
    expect(isAllowed(new URL("https://a.example/"), [])).toBe(false);
  });

  it.each([
    "https://api.example.com",
    "api.example.com/path",
    "a b",
    "me@host",
    "host:port",
    "host:65536",
    "[::1::2]",
    "1.2.3.256",
    ".",
  ])("%s is no host", (entry) => {
    expect(allowProblems({ allow: ["ok.example", entry] })).toMatchObject([
      { option: "allow", message: expect.stringContaining(entry) },
    ]);
  });

  it("opens private addresses only beside a list", () => {
    expect(allowProblems({ allowPrivate: true })).toMatchObject([{ option: "allowPrivate" }]);
    expect(allowProblems({ allowPrivate: true, allow: ["localhost"] })).toEqual([]);
  });
});
