// `footfall listen --create`: creates a webhook that points here, and deletes it when the command
// ends, however it ends.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { signTestWebhook } from "@footfall/sdk/webhooks"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { workedSecret } from "../../sdk/test/support/worked-webhooks.ts"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall, footfallPath, isolated } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

const id = "5f1f6a0b-6c43-4f0f-9f51-2d1f8f8a6f10"
const create = "POST /v1/data/webhooks"
const remove = `DELETE /v1/data/webhooks/${id}`

let api: FakeApi
let environment: NodeJS.ProcessEnv
beforeEach(async () => {
  api = await FakeApi.start()
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  api.on(create, () => ({ data: { webhook: { id }, webhookSecret: workedSecret } }))
  api.on(remove, () => ({ data: { deleted: true } }))
})

const ending: Array<() => unknown> = []
afterEach(async () => {
  for (const end of ending.splice(0)) end()
  await api[Symbol.asyncDispose]()
})

const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

const listen = (...words: ReadonlyArray<string>) => {
  const child = spawn(
    process.execPath,
    [footfallPath, "listen", "--create", "--port", "0", ...words],
    { env: isolated(environment), stdio: ["ignore", "pipe", "pipe"] },
  )
  ending.push(() => child.kill("SIGKILL"))
  let output = ""
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString()
  })
  const stdout = text(child.stdout)
  const ended = once(child, "close").then(async ([exitCode]) => ({
    exitCode: exitCode as number | null,
    stdout: await stdout,
    output,
  }))
  const ready = async (): Promise<string> => {
    await vi.waitFor(() => expect(output).toContain("Press Ctrl-C to stop."), { timeout: 30_000 })
    return /Listening on (\S+)/.exec(output)?.[1] ?? "nowhere"
  }
  return { child, ended, ready }
}

const send = async (url: string): Promise<number> => {
  const signed = await signTestWebhook({
    payload: '{"event":"webhook.test"}',
    secret: workedSecret,
  })
  return (await fetch(url, { method: "POST", ...signed })).status
}

test("creates a webhook that points here, verifies with its secret, and deletes it at the end", async () => {
  const { ended, ready } = listen("--count", "1")
  const url = await ready()
  expect(sent(create)).toEqual({ name: "footfall listen", url, trigger: "every_update" })
  expect(api.seen(remove)).toEqual([])

  expect(await send(url)).toBe(200)

  const { exitCode, output, stdout } = await ended
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "verified" })
  expect(output).toContain(`Webhook ${id} points here until you stop.`)
  expect(output + stdout).not.toContain(workedSecret)
  expect(api.seen(remove).length).toBe(1)
  expect(exitCode).toBe(0)
})

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("deletes it on %s, and exits with %i", async (signal, exitCode) => {
  const { child, ended, ready } = listen()
  await ready()

  child.kill(signal)

  expect((await ended).exitCode).toBe(exitCode)
  expect(api.seen(remove).length).toBe(1)
})

test("deletes it if Ctrl-C arrives while it is being created", async () => {
  const { child, ended } = listen()
  api.on(create, () => {
    child.kill("SIGINT")
    return { data: { webhook: { id }, webhookSecret: workedSecret } }
  })

  expect((await ended).exitCode).toBe(130)
  expect(api.seen(remove).length).toBe(1)
})

test("ends without an error if the webhook is already deleted", async () => {
  api.on(remove, () => ({ status: 404, error: { code: "NOT_FOUND", message: "No." } }))
  const { child, ended, ready } = listen()
  await ready()

  child.kill("SIGINT")

  expect(await ended).toMatchObject({ exitCode: 130, output: expect.not.stringContaining("error") })
})

test("reports that it could not be deleted", async () => {
  api.on(remove, () => ({ status: 403, error: { code: "FORBIDDEN", message: "Not you." } }))
  const { ended, ready } = listen("--count", "1")
  await send(await ready())

  expect(await ended).toMatchObject({ exitCode: 4, output: expect.stringContaining("Not you.") })
})

test("uses the given tunnel URL, trigger and scope", async () => {
  const [segment, pixel] = [
    "3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
    "0f0d6a92-7f0e-4c53-8d1c-0a9be54fd2c3",
  ]
  const { child, ended, ready } = listen(
    ...["--public-url", "https://tunnel.example/in"],
    ...["--trigger", "first_match"],
    ...["--segment", segment],
    ...["--pixel", pixel],
  )
  await ready()
  child.kill("SIGINT")
  await ended

  expect(sent(create)).toEqual({
    name: "footfall listen",
    url: "https://tunnel.example/in",
    trigger: "first_match",
    segmentId: segment,
    pixelId: pixel,
  })
})

test("explains what to change if the server rejects private addresses", async () => {
  const issue = { path: "/body/url", code: "url_not_allowed", message: "Not allowed." }
  api.on(create, () => ({
    status: 400,
    error: { code: "VALIDATION_ERROR", message: "Not allowed.", details: { issues: [issue] } },
  }))

  const { exitCode, output } = await listen().ended

  expect(JSON.parse(output).error).toMatchObject({ code: "WEBHOOK_URL_REFUSED" })
  expect(output).toContain("ALLOW_PRIVATE_WEBHOOKS=on")
  expect(output).toContain("--public-url https://")
  expect(api.seen(remove)).toEqual([])
  expect(exitCode).toBe(1)
})

test("requires credentials before it listens", async () => {
  const { exitCode, stderr } = await footfall(["listen", "--create"])

  expect(stderr).toContain("CREDENTIALS_MISSING")
  expect(exitCode).toBe(4)
})
