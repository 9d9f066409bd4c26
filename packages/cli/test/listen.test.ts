// `footfall listen` as a user runs it: what it prints, responds and forwards, and how it ends.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { signTestWebhook } from "@footfall/sdk/webhooks"
import { afterEach, describe, expect, test } from "vitest"
import { workedSecret } from "../../sdk/test/support/worked-webhooks.ts"
import {
  footfall,
  footfallOnTerminal,
  footfallPath,
  hasScript,
  isolated,
} from "./fixtures/footfall.ts"

const ending: Array<() => unknown> = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** Starts the command and waits until it listens. */
const listen = async (words: ReadonlyArray<string>, environment: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [footfallPath, "listen", "--port", "0", ...words], {
    env: isolated({ FOOTFALL_WEBHOOK_SECRET: workedSecret, ...environment }),
    stdio: ["ignore", "pipe", "pipe"],
  })
  ending.push(() => child.kill("SIGKILL"))
  const stdout = text(child.stdout)
  const output: Array<string> = []
  for await (const line of createInterface(child.stderr)) {
    output.push(line)
    if (line === "Press Ctrl-C to stop.") break
  }
  const ended = once(child, "close").then(async ([exitCode]) => ({
    exitCode: exitCode as number | null,
    records: (await stdout)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  }))
  const url = /Listening on (\S+)/.exec(output.join("\n"))?.[1] ?? "nowhere"
  return { child, url, output, ended }
}

const event = '{"id":"msg_abcdefghijklmnopqrstuvwxyz","event":"webhook.test","test":true}'

const send = async (
  url: string,
  { body = event, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
) => {
  const signed = await signTestWebhook({ payload: event, id: "msg_1", secret: workedSecret })
  return fetch(url, { method: "POST", body, headers: { ...signed.headers, ...headers } })
}

/** The application that receives forwarded webhooks. */
const startApp = async (status: number, answer = "thanks") => {
  const seen: Array<{ headers: NodeJS.Dict<string | string[]>; body: string; url?: string }> = []
  const server = createServer(async (request, response) => {
    seen.push({ headers: request.headers, body: await text(request), url: request.url ?? "" })
    response.writeHead(status, { "content-type": "text/plain" }).end(answer)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  ending.push(() => server.close())
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks?from=footfall`, seen }
}

describe("a received webhook", () => {
  test("is a line of JSON with --output ndjson too", async () => {
    const { ended, url } = await listen(["--count", "1", "--output", "ndjson"])

    await send(url)

    expect((await ended).records).toMatchObject([{ verdict: "verified" }])
  })

  test("is verified, answered and printed on one line", async () => {
    const { ended, url } = await listen(["--count", "3"])

    const answers = [
      await send(`${url}a?b=c`),
      await send(url, { body: event.replace("test", "tset") }),
      await send(url, { headers: { "webhook-timestamp": "1773219901" } }),
    ]
    const { exitCode, records } = await ended

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400])
    expect(records).toMatchObject([
      {
        method: "POST",
        path: "/a?b=c",
        verdict: "verified",
        id: "msg_1",
        event: "webhook.test",
        attempt: 1,
        status: 200,
        forwarded: null,
        headers: { "webhook-id": "msg_1", "content-type": "application/json; charset=utf-8" },
        payload: JSON.parse(event),
        body: event,
      },
      { verdict: "refused", reason: "signature_mismatch", status: 400 },
      { verdict: "refused", reason: "timestamp_too_old", status: 400 },
    ])
    expect(exitCode).toBe(0)
  })

  test("is a line that `webhooks verify` accepts", async () => {
    const { ended, url } = await listen(["--count", "1"])
    await send(url)
    const [record] = (await ended).records

    const run = await footfall(["webhooks", "verify", "-"], {
      environment: { FOOTFALL_WEBHOOK_SECRET: workedSecret },
      input: JSON.stringify(record),
    })

    expect(run).toMatchObject({ exitCode: 0, stderr: "" })
  })

  test("is not verified without a secret, and a note says so", async () => {
    const { ended, output, url } = await listen(["--count", "1"], { FOOTFALL_WEBHOOK_SECRET: "" })
    await send(url)

    expect(output).toContain("No signing secret: signatures are not checked.")
    expect((await ended).records).toMatchObject([{ verdict: "unchecked", status: 200 }])
  })

  test("may have any body", async () => {
    const { ended, url } = await listen(["--count", "3"])

    await fetch(url)
    await send(url, { body: "\u0000 no json" })
    await send(url, { body: "x".repeat(1_048_576) })
    const large = await send(url, { body: "x".repeat(1_048_577) }).catch(() => ({ status: 413 }))

    expect(large.status).toBe(413)
    expect((await ended).records).toMatchObject([
      { method: "GET", reason: "missing_header", event: null },
      { reason: "signature_mismatch", payload: null, body: "\u0000 no json" },
      { reason: "signature_mismatch" },
    ])
  })

  test("is reported once, even among concurrent requests", async () => {
    const { ended, url } = await listen(["--count", "20"])
    const bodies = Array.from({ length: 20 }, (_, index) => `{"event":"${index}"}`)

    await Promise.all(bodies.map((body) => send(url, { body })))

    const { records } = await ended
    expect(new Set(records.map(({ body }) => body))).toEqual(new Set(bodies))
    expect(records.length).toBe(20)
  })
})

describe("--status", () => {
  test("responds to every request with the given status", async () => {
    const { ended, url } = await listen(["--count", "2", "--status", "503"])

    expect((await send(url)).status).toBe(503)
    expect((await send(url, { body: "{}" })).status).toBe(503)
    expect((await ended).records).toMatchObject([
      { verdict: "verified", status: 503 },
      { verdict: "refused", status: 503 },
    ])
  })

  test.each(["199", "600", "ok", "-1"])("refuses %s", async (status) => {
    const { exitCode, stderr } = await footfall(["listen", "--status", status])

    expect(stderr).toContain("Expected a status from 200 to 599.")
    expect(exitCode).toBe(2)
  })
})

describe("--forward-to", () => {
  test("forwards the same bytes and headers, and returns the application's response", async () => {
    const app = await startApp(202)
    const { ended, url } = await listen(["--count", "1", "--forward-to", app.url])

    const answer = await send(url)

    expect([answer.status, await answer.text()]).toEqual([202, "thanks"])
    expect(app.seen).toMatchObject([
      {
        url: "/hooks?from=footfall",
        body: event,
        headers: { "webhook-id": "msg_1", host: new URL(app.url).host },
      },
    ])
    expect((await ended).records).toMatchObject([
      { verdict: "verified", status: 202, forwarded: { status: 202 } },
    ])
  })

  test("forwards rejected requests too, because the application decides", async () => {
    const app = await startApp(401)
    const { ended, url } = await listen(["--count", "1", "--forward-to", app.url])

    expect((await send(url, { body: "{}" })).status).toBe(401)
    expect((await ended).records).toMatchObject([{ verdict: "refused", status: 401 }])
  })

  test("responds with 502 if the target is unreachable, unless --status is given", async () => {
    const { ended, url } = await listen(["--count", "1", "--forward-to", "http://127.0.0.1:9/"])
    const app = await startApp(200)
    const other = await listen(["--count", "1", "--forward-to", app.url, "--status", "500"])

    expect((await send(url)).status).toBe(502)
    expect((await send(other.url)).status).toBe(500)
    expect((await ended).records).toMatchObject([
      { status: 502, forwarded: { error: "ECONNREFUSED" } },
    ])
    expect((await other.ended).records).toMatchObject([{ status: 500, forwarded: { status: 200 } }])
  })

  test("rejects anything but a web address", async () => {
    const { exitCode, stderr } = await footfall(["listen", "--forward-to", "localhost:3000"])

    expect(stderr).toContain("Expected a URL that starts with http:// or https://.")
    expect(exitCode).toBe(2)
  })
})

describe("ends", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("with %s: exit code %i", async (signal, exitCode) => {
    const { child, ended, url } = await listen([])
    await send(url)
    child.kill(signal)

    expect(await ended).toMatchObject({ exitCode, records: [{ verdict: "verified" }] })
  })

  test("with 1 if the port is in use, and says what to do", async () => {
    const { url } = await listen([])
    const { exitCode, stderr } = await footfall(["listen", "--port", new URL(url).port])

    expect(JSON.parse(stderr).error).toMatchObject({
      code: "PORT_UNAVAILABLE",
      message: expect.stringContaining("EADDRINUSE"),
    })
    expect(exitCode).toBe(1)
  })

  test.each([
    ["--trigger", "first_match"],
    ["--segment", "3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11"],
    ["--public-url", "https://tunnel.example"],
  ])("with 2 for %s without --create", async (option, value) => {
    const { exitCode, stderr } = await footfall(["listen", option, value])

    expect(stderr).toContain(`${option} needs --create.`)
    expect(exitCode).toBe(2)
  })
})

/** A terminal's output for one event. */
const shownOnTerminal = async (...words: ReadonlyArray<string>): Promise<string> => {
  const child = footfallOnTerminal(["listen", "--port", "0", "--count", "1", ...words], {
    environment: { FOOTFALL_WEBHOOK_SECRET: workedSecret },
    columns: 80,
  })
  ending.push(() => child.kill("SIGKILL"))
  let shown = ""
  const ready = Promise.withResolvers<string>()
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString()
    const url = /Listening on (\S+)/.exec(shown)?.[1]
    if (url !== undefined && shown.includes("Ctrl-C")) ready.resolve(url)
  })
  const closed = once(child, "close")
  await send(await ready.promise)
  await closed
  return shown
}

describe.runIf(hasScript)("on a terminal", () => {
  test("each is one line", async () => {
    const shown = await shownOnTerminal()

    const plain = stripVTControlCharacters(shown)
    expect(plain).toMatch(/^\d\d:\d\d:\d\d ✓ verified → 200 webhook\.test\s*$/m)
    expect(shown).not.toContain("webhook-signature")
  })

  test("each is shown with headers and payload with --verbose", async () => {
    const shown = await shownOnTerminal("--verbose")

    expect(shown).toContain("✓ verified")
    expect(shown).toContain('"event": "webhook.test"')
    expect(shown).toContain("webhook-signature")
  })
})
