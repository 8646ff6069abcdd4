import { describe, expect, it } from "vitest";
import { isPublicAddress, resolveHost } from "./public-address.ts";

const nowhere = async (): Promise<never> => Promise.reject(new Error("nothing is looked up"));
const check = async (url: string): Promise<unknown> =>
  resolveHost(new URL(url), { isPrivateAllowed: false, lookup: nowhere });

describe("an address on the internet", () => {
  it.each([
    ["8.8.8.8", true],
    ["93.184.216.34", true],
    ["2606:4700:4700::1111", true],
    ["::ffff:8.8.8.8", true],
    ["127.0.0.1", false],
    ["127.255.0.9", false],
    ["0.0.0.0", false],
    ["0.1.2.3", false],
    ["10.0.0.1", false],
    ["172.16.0.1", false],
    ["172.32.0.1", true],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["198.18.0.1", false],
    ["192.0.2.1", false],
    ["224.0.0.1", false],
    ["240.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::127.0.0.1", false],
    ["::ffff:127.0.0.1", false],
    ["::ffff:169.254.169.254", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["64:ff9b:1::1", false],
    ["2002:7f00:1::", false],
    ["2001:0:1::1", false],
    ["2001:db8::1", false],
    ["fc00::1", false],
    ["fd12:3456::1", false],
    ["fe80::1", false],
    ["fe80::1%eth0", false],
    ["fec0::1", false],
    ["ff02::1", false],
    ["4000::1", false],
    ["no address", false],
  ])("%s: %s", (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://169.254.169.254/latest",
    "http://localhost:3000/",
    "http://localhost./",
    "http://LOCALHOST/",
    "http://app.localhost/",
    "http://intranet/",
    "http://db.internal/",
    "http://metadata.google.internal./",
    "http://printer.local/",
    "http://１２７.０.０.１/",
  ])("is none: %s, and nothing is looked up", async (url) => {
    await expect(check(url)).rejects.toThrow(/is a private or local address/);
  });
});
