import { describe, expect, it } from "vitest";
import { isSpecText } from "./spec-text.ts";

const REST = "name: x\nmodel: ollama/small\nstrategy: direct\n";

describe("a document", () => {
  it.each([
    "apiVersion: loopwright/v1",
    '"apiVersion": "loopwright/v1"',
    "apiVersio: loopwright/v1",
    "apiversion: loopwright/v1",
    "api_version: loopwright/v1",
    "apiVersion: lopwright/v1",
    "# yaml-language-server: $schema=./loopwright.schema.json",
  ])("is a spec where it begins with `%s`", (first) => {
    expect(isSpecText(`${first}\n${REST}`)).toBe(true);
  });

  it.each([
    ["a compose file", "version: '3'\nname: x\nservices:\n  web: { image: nginx }\n"],
    ["a compose file with models", "name: x\nservices: { web: {} }\nmodels: { small: {} }\n"],
    [
      "a deployment",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }\nspec:\n  strategy: { type: Recreate }\n",
    ],
    [
      "a build configuration of OpenShift, flat",
      "apiVersion: build.openshift.io/v1\nkind: BuildConfig\nname: x\nstrategy: { type: Docker }\n",
    ],
    ["a misspelt deployment", "apiVersio: apps/v1\nkind: Deployment\nname: x\nstrategy: {}\n"],
    ["a workflow", "name: ci\non: push\njobs: { test: { strategy: { matrix: {} } } }\n"],
    ["a pipeline", "name: x\nversion: 1\nstrategy: { matrix: {} }\npool: x\n"],
    ["a pipeline for an API", "api: x\nname: x\nstrategy: { matrix: {} }\n"],
    ["settings", "apiVersions: [1]\nname: x\nmodel: y\n"],
    ["an OpenAPI document", "openapi: 3.1.0\ninfo: { title: x, version: 1 }\npaths: {}\n"],
  ])("is none where it is %s", (_, text) => {
    expect(isSpecText(text)).toBe(false);
  });
});
