// The guide docs/reference/webhooks.md: every snippet compiles and does what the guide says when a reader runs it.

import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { signTestWebhook, verifyWebhook, type WebhookEvent } from "../../src/webhooks.ts"
import { freePort } from "../support/free-port.ts"
import { webhookEvents } from "../support/webhook-events.ts"
import { workedSecret } from "../support/worked-webhooks.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const repository = fileURLToPath(new URL("../../../../", import.meta.url))
const guide = readFileSync(join(repository, "docs/reference/webhooks.md"), "utf8")
const snippets = new Map(
  [...guide.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, name = "", code = ""]) => [
    name,
    code,
  ]),
)

let folder: string
beforeAll(() => {
  folder = temporaryFolder("guide")
  for (const [name, code] of snippets) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"))
  mkdirSync(join(folder, "types"))
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: "es2024", lib: ["es2024", "dom"], types: ["node"] },
    ...{ module: "nodenext", skipLibCheck: true, noUncheckedIndexedAccess: true },
  }
  const files = [...snippets.keys()]
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const running: Array<ChildProcess> = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL")
})

/** Runs a snippet until it listens. Returns its address. */
const start = async (name: string): Promise<string> => {
  const port = await freePort()
  const child = spawn(process.execPath, [name], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      PORT: String(port),
      FOOTFALL_WEBHOOK_SECRET: workedSecret,
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
  running.push(child)
  const url = `http://localhost:${port}/hooks`
  await vi.waitFor(() => fetch(url), { timeout: 30_000 })
  return url
}

const signed = (payload: string | WebhookEvent = webhookEvents["visitor.identified"]) =>
  signTestWebhook({ payload, secret: workedSecret })

it("has a snippet for every environment", () => {
  expect([...snippets.keys()]).toEqual([
    "node.ts",
    "express.ts",
    "fastify.ts",
    "hono.ts",
    "edge.ts",
    "events.ts",
    "schemas.ts",
    "sign.ts",
  ])
  // Each snippet has a name, so each one runs.
  expect(guide.match(/```ts\n/g)?.length).toBe(snippets.size)
})

it("compiles", async () => {
  const tsc = join(repository, "node_modules/.bin/tsc")
  const done = await promisify(execFile)(tsc, ["-p", "."], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )

  expect(done.stdout).toBe("")
})

describe.each(["node.ts", "express.ts", "fastify.ts", "hono.ts"])("%s", (name) => {
  it("accepts what Footfall signed and rejects everything else", async () => {
    const url = await start(name)
    const post = async (request: {
      headers: Readonly<Record<string, string>>
      body: string | Uint8Array
    }) => (await fetch(url, { method: "POST", ...request, body: Buffer.from(request.body) })).status
    const { body, headers } = await signed()

    expect(await post({ headers, body })).toBe(204)
    expect(await post({ headers, body: `${String(body)} ` })).toBe(400)
    expect(await post({ headers: { ...headers, "webhook-id": "msg_x" }, body })).toBe(400)
    expect(await post({ headers: { "content-type": "application/json" }, body })).toBe(400)
  })
})

it("edge.ts accepts what Footfall signed and rejects everything else", async () => {
  const module = (await import(join(folder, "edge.ts"))) as {
    default: { fetch(request: Request, env: object): Promise<Response> }
  }
  const { body, headers } = await signed()
  const answer = async (text: string) => {
    const request = new Request("https://edge.example/", { method: "POST", headers, body: text })
    return (await module.default.fetch(request, { FOOTFALL_WEBHOOK_SECRET: workedSecret })).status
  }

  expect(await answer(String(body))).toBe(204)
  expect(await answer(`${String(body)} `)).toBe(400)
})

it("events.ts handles every event", async () => {
  const { summary } = (await import(join(folder, "events.ts"))) as {
    summary(event: WebhookEvent): string
  }

  expect(Object.values(webhookEvents).map(summary)).toEqual([
    "initial delivery of 2",
    "jane.mercer@harbor-logistics.example added in Warehouse buyers",
    "930ddda8 left Warehouse buyers",
    "initial delivery of 2",
    "jane.mercer@harbor-logistics.example on tidewater.example, 7 page views",
    "jane.mercer@harbor-logistics.example on tidewater.example, 7 page views",
    "harbor-logistics.example on tidewater.example, 4 sessions",
    "jane.mercer@harbor-logistics.example viewed /pricing",
    "jane.mercer@harbor-logistics.example: segment.entered Pricing",
    "harbor-logistics.example: segment.left Pricing",
    "webhook.test",
  ])
})

it("schemas.ts prints a schema", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["schemas.ts"], { cwd: folder })

  expect(JSON.parse(stdout)).toMatchObject({
    type: "object",
    properties: { event: { const: "visitor.identified" } },
  })
})

it("sign.ts sends what a receiver accepts", async () => {
  const url = await start("node.ts")
  const environment = {
    PATH: process.env["PATH"],
    TMPDIR: process.env["TMPDIR"],
    FOOTFALL_WEBHOOK_SECRET: workedSecret,
  }
  const { stdout } = await promisify(execFile)(process.execPath, ["sign.ts"], {
    cwd: folder,
    env: { ...environment, RECEIVER_URL: url },
  })

  expect(stdout).toBe("204\n")
})

it("names every reason, and no others", async () => {
  const table = guide.slice(guide.indexOf("| `reason`"), guide.indexOf("## Events"))
  const named = [...table.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, reason]) => reason)
  const source = readFileSync(
    new URL("../../src/webhooks/verify-webhook.ts", import.meta.url),
    "utf8",
  )
  const known = [...source.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, reason]) => reason)

  expect(named.toSorted()).toEqual(known.toSorted())
  await expect(verifyWebhook({ payload: "", headers: {}, secret: workedSecret })).rejects.toThrow(
    "missing_header",
  )
})
