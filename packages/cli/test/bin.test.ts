// The committed entry point says what is wrong on an old Node and in a fresh clone.

import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { configDirectory, footfallPath } from "./fixtures/footfall.ts"

let copy: string

beforeEach(() => {
  const directory = configDirectory()
  copy = join(directory, "bin/footfall.mjs")
  mkdirSync(join(directory, "bin"))
  cpSync(footfallPath, copy)
})

const run = (nodeVersion: string, words: ReadonlyArray<string> = [], input = "") => {
  // `process.version` is read-only, so the test redefines it before it loads the entry point.
  const pretend =
    `Object.defineProperty(process, "versions", { value: { node: "${nodeVersion}" } });` +
    `Object.defineProperty(process, "version", { value: "v${nodeVersion}" })`
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`
  return spawnSync(process.execPath, ["--import", preload, copy, ...words], {
    encoding: "utf8",
    input,
  })
}

test.each(["8.17.0", "20.20.2", "22.18.0"])("Node %s is rejected in one line", (nodeVersion) => {
  const { status, stderr } = run(nodeVersion)

  expect(stderr).toBe(`footfall needs Node 22.19 or newer; this is v${nodeVersion}.\n`)
  expect(status).toBe(1)
})

test("on an old Node, an agent gets the reason in response to its first message", () => {
  const message = { jsonrpc: "2.0", id: "first", method: "initialize" }

  const { status, stdout } = run("20.20.2", ["mcp"], `${JSON.stringify(message)}\n`)

  const text = "footfall needs Node 22.19 or newer; this is v20.20.2"
  expect(JSON.parse(stdout)).toEqual({
    jsonrpc: "2.0",
    id: "first",
    error: { code: -32_600, message: text },
  })
  expect(status).toBe(1)
  expect(run("20.20.2", ["mcp"], "no message\n").stdout).toContain('"id":null')
  expect(run("20.20.2", ["mcp", "install", "cursor"], "x\n").stdout).toBe("")
})

test.each(["22.19.0", "24.0.0"])(
  "Node %s starts, and says when the bundle is missing",
  (version) => {
    const { status, stderr } = run(version)

    expect(stderr).toBe("footfall is not built yet. Run: npm run build\n")
    expect(status).toBe(1)
  },
)
