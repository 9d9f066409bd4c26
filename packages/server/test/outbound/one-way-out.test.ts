// The linters of this repository find every outgoing connection that doesn't go through outbound/. Each way to open one
// is reported in a room of a copied tree, and accepted inside outbound/.
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const repository = fileURLToPath(new URL("../../../../", import.meta.url))

/** Each opens a connection, or imports something that opens one. */
const ways: Readonly<Record<string, string>> = {
  fetch: `export const way = fetch("https://a.example")`,
  "globalThis.fetch": `export const way = globalThis.fetch("https://a.example")`,
  WebSocket: `export const way = new WebSocket("wss://a.example")`,
  EventSource: `export const way = new EventSource("https://a.example")`,
  undici: `import { request } from "undici"\nexport const way = request("https://a.example")`,
  "undici, later": `export const way = import("undici")`,
  "node:http": `import { request } from "node:http"\nexport const way = request("http://a.example")`,
  "node:http, whole": `import http from "node:http"\nexport const way = http.get("http://a.example")`,
  "node:http, all names": `import * as http from "node:http"\nexport const way = http.get("http://a.example")`,
  "node:https": `import { request } from "node:https"\nexport const way = request("https://a.example")`,
  "node:https, later": `export const way = import("node:https")`,
  "node:http2": `import { connect } from "node:http2"\nexport const way = connect("https://a.example")`,
  "node:net": `import { connect } from "node:net"\nexport const way = connect(443, "a.example")`,
  "node:net, a socket": `import { Socket } from "node:net"\nexport const way = new Socket().connect(443, "a.example")`,
  "node:tls": `import { connect } from "node:tls"\nexport const way = connect(443, "a.example")`,
  "node:tls, later": `export const way = import("node:tls")`,
  "node:dgram": `import { createSocket } from "node:dgram"\nexport const way = createSocket("udp4")`,
  "a built-in module": `export const way = process.getBuiltinModule("node:https")`,
  "an Effect client": `import { FetchHttpClient } from "effect/http"\nexport const way = FetchHttpClient.layer`,
  "an Effect client, by its file": `import * as client from "effect/http/FetchHttpClient"\nexport const way = client.layer`,
  "a derived client": `import { HttpApiClient } from "effect/http-api"\nexport const way = HttpApiClient.make`,
  nodemailer: `import { createTransport } from "nodemailer"\nexport const way = createTransport("smtp://a.example")`,
  "nodemailer, later": `export const way = import("nodemailer")`,
}

const harmless = `import { createServer } from "node:http"\nexport const way = createServer`

const fileOf = (name: string) => `${name.replaceAll(/\W+/g, "-")}.ts`

let folder: string
let complained: ReadonlyArray<string>

/** A program's output, whatever its exit code. */
const printed = async (program: string, args: ReadonlyArray<string>): Promise<string> => {
  const bin = join(repository, "node_modules", ".bin", program)
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(bin, args, options).catch(
    // Complaints set the exit code.
    (error: { stdout: string }) => error,
  )
  return stdout
}

beforeAll(async () => {
  folder = temporaryFolder("one-way-out")
  for (const name of [".oxlintrc.json", ".dependency-cruiser.js", "tsconfig.base.json"]) {
    cpSync(join(repository, name), join(folder, name))
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"))
  for (const room of ["intent/runs", "platform/outbound"]) {
    const path = join(folder, "packages/server/src", room)
    mkdirSync(path, { recursive: true })
    for (const [name, code] of Object.entries(ways)) writeFileSync(join(path, fileOf(name)), code)
    writeFileSync(join(path, "harmless.ts"), harmless)
  }
  const found = await Promise.all([
    printed("oxlint", ["--format", "unix", "packages"]),
    printed("depcruise", ["--config", ".dependency-cruiser.js", "-T", "err", "packages"]),
  ])
  complained = found.join("\n").match(/src\/[\w/-]+\.ts/g) ?? []
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("from a room,", () => {
  it.each(Object.keys(ways))("%s cannot leave the server", (name) => {
    expect(complained).toContain(`src/intent/runs/${fileOf(name)}`)
  })
})

it("serving is allowed", () => {
  expect(complained).not.toContain("src/intent/runs/harmless.ts")
})

it.each(["undici", "undici, later", "node:https", "node:net", "nodemailer"])(
  "from outbound/, %s is one",
  (name) => {
    expect(complained).not.toContain(`src/platform/outbound/${fileOf(name)}`)
  },
)
