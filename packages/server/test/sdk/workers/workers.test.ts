// The packed SDK in the runtime of Cloudflare Workers (workerd, installed for the test), bundled under its condition
// and without nodejs_compat, against a real server.
import { build } from "esbuild"
import { execFile, spawn, type ChildProcess } from "node:child_process"
import { cp, readdir } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { temporaryFolder } from "../../../../../scripts/test-run/temporary-folder.ts"
import { people, putRun } from "../../runs/exports/support.ts"
import { startServer, type TestServer } from "../../support/server.ts"
import { startFront, type Front } from "./front.ts"

const run = promisify(execFile)
const sdk = new URL("../../../../sdk", import.meta.url).pathname
const folder = temporaryFolder("workers")

let server: TestServer
let front: Front
let workerd: ChildProcess
let url: string

beforeAll(async () => {
  await cp(import.meta.dirname, folder, { recursive: true })
  await run("npm", ["pack", "--pack-destination", folder], { cwd: sdk })
  const tarball = (await readdir(folder)).find((file) => file.endsWith(".tgz"))
  const others = ["--no-audit", "--no-fund", "--no-package-lock"]
  await run("npm", ["install", ...others, `./${tarball}`], { cwd: folder })
  await build({
    entryPoints: [join(folder, "worker.ts")],
    outfile: join(folder, "worker.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    conditions: ["workerd", "worker"],
    external: ["cloudflare:workers"],
  })
  server = await startServer({ rateLimits: true })
  front = await startFront(server.url)
  const { accessToken } = await server.makeUser("owner")
  const serve = ["serve", "--control-fd=1", "config.capnp"]
  workerd = spawn(join(folder, "node_modules/.bin/workerd"), serve, {
    cwd: folder,
    env: { BASE_URL: front.url, API_KEY: server.apiKey, ACCESS_TOKEN: accessToken },
    stdio: ["ignore", "pipe", "inherit"],
  })
  for await (const line of createInterface({ input: workerd.stdout! })) {
    const { event, port } = JSON.parse(line) as { readonly event: string; readonly port?: number }
    if (event !== "listen") continue
    url = `http://127.0.0.1:${port}`
    break
  }
}, 400_000)
afterAll(async () => {
  workerd?.kill()
  front?.close()
  await server?.close()
})
beforeEach(() => {
  front.seen.length = 0
})

const use = async (path: string, init: RequestInit = {}): Promise<unknown> => {
  const response = await fetch(url + path, init)
  const text = await response.text()
  expect(text, path).toMatch(/^[[{"]/)
  return JSON.parse(text)
}

describe("a worker with the SDK", () => {
  it("reads a list over several pages", async () => {
    const values = ["a.example", "b.example", "c.example", "d.example", "e.example"]
    await server.sdk.suppression.add(values.map((value) => ({ type: "domain", value })))

    expect(await use("/list")).toEqual(values.toReversed())
    expect(front.seen).toHaveLength(3)
    expect(front.seen[0]!.headers).toMatchObject({
      "user-agent": expect.stringContaining("footfall-sdk/"),
      "x-api-key": server.apiKey,
    })
  })

  it("gets one object with the status and the request id of its response", async () => {
    expect(await use(`/get?id=${server.pixelId}`)).toEqual({
      domain: "tidewater.example",
      hasRequestId: true,
      status: 200,
    })
  })

  it("retries after 503", async () => {
    front.next = "503"

    expect(await use(`/get?id=${server.pixelId}`)).toMatchObject({ status: 200 })
    expect(front.seen).toHaveLength(2)
  })

  it("creates once what it requests twice because the response was lost", async () => {
    front.next = "lost"

    expect(await use("/create?name=Once")).toEqual({ name: "Once" })
    const keys = front.seen.map(({ headers }) => headers["idempotency-key"])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/./)
    expect(keys[1]).toBe(keys[0])
    const { data } = await server.sdk.segments.list()
    expect(data.map(({ name }) => name)).toEqual(["Once"])
  })

  it("throws the typed error of a rejection", async () => {
    expect(await use("/refused")).toEqual({ code: "NOT_FOUND", status: 404, hasRequestId: true })
  })

  it("serves concurrent requests with one client, created before the first of them", async () => {
    const paths = Array.from({ length: 20 }, () => ["/refused", `/get?id=${server.pixelId}`]).flat()

    const found = await Promise.all(paths.map((path) => use(path)))

    expect(found.map((each) => (each as { readonly status: number }).status)).toEqual(
      paths.map((path) => (path === "/refused" ? 404 : 200)),
    )
  })

  it("streams a file through as it arrives", async () => {
    const { audienceId, runId } = await putRun(server, server, { rows: people(5_000) })
    const direct = await server.sdk.runs.exportCsv(audienceId, runId)
    const expected = await new Response(direct.toWebStream()).text()

    const response = await fetch(`${url}/download?audience=${audienceId}&run=${runId}`)

    expect(await response.text()).toBe(expected)
    expect(expected.split("\r\n")).toHaveLength(5_002)
    expect(response.headers.get("x-file-name")).toBe("buyers-2026-03-10.csv")
  })

  it("streams an upload without buffering it", async () => {
    const arrived = Promise.withResolvers<void>()
    front.onBytes = arrived.resolve
    async function* rows() {
      yield "email\n"
      for (let row = 0; row < 1_000; row += 1) yield `first${row}@worker.example\n`
      // The rest is sent only when the server has received some of it.
      await arrived.promise
      for (let row = 0; row < 1_000; row += 1) yield `second${row}@worker.example\n`
    }
    const body = ReadableStream.from(rows()).pipeThrough(new TextEncoderStream())

    const result = await use("/upload", { method: "POST", body, duplex: "half" })

    expect(result).toMatchObject({ received: 2_000, inserted: 2_000, rejectedCount: 0 })
  })

  it("verifies a webhook, and rejects one whose body was changed", async () => {
    const payload = JSON.stringify({ id: "msg_1", event: "webhook.test", test: true })
    const signed = (await use("/sign", { method: "POST", body: payload })) as {
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
    }
    const { headers } = signed

    expect(await use("/webhook", { method: "POST", body: payload, headers })).toMatchObject({
      event: "webhook.test",
    })
    const changed = payload.replace("true", "false")
    expect(await use("/webhook", { method: "POST", body: changed, headers })).toEqual({
      reason: "signature_mismatch",
    })
  })
})
