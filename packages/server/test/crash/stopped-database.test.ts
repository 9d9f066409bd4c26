// Postgres stops silently (SIGSTOP of all its processes): every request gets 503 with Retry-After instead of waiting,
// an operator's probes can distinguish this from a lost server, and when Postgres continues, so does everything,
// including workers.
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { killLeftServers } from "../support/server-process.ts"
import { makeBatch, makeEvent } from "../visits/collect-layer.ts"
import { Site } from "./site.ts"

let site: Site
let accessToken: string
let postgres: ReadonlyArray<number> = []

beforeAll(async () => {
  site = await Site.open()
  const response = await fetch(`${site.url}/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(site.owner),
  })
  accessToken = ((await response.json()) as LogIn).data.accessToken
  // One response for each connection of the pool, so that all known ones stop too.
  await Promise.all(Array.from({ length: 10 }, () => send("GET", "/v1/data")))
  postgres = await site.postgresProcesses()
})
afterAll(async () => {
  signal("SIGCONT")
  await site.server.stop()
  killLeftServers()
})

interface LogIn {
  readonly data: { readonly accessToken: string }
}

const signal = (name: "SIGSTOP" | "SIGCONT") => {
  for (const id of postgres) {
    try {
      process.kill(id, name)
    } catch {
      // A backend that has ended in the meantime.
    }
  }
}

interface Sending {
  readonly body?: string
  readonly type?: string
}

const send = async (
  method: string,
  path: string,
  { body, type = "application/json" }: Sending = {},
) => {
  const response = await fetch(site.url + path, {
    method,
    headers: {
      ...(path.startsWith("/v1/admin")
        ? { authorization: `Bearer ${accessToken}` }
        : { "x-api-key": site.apiKey }),
      // A program's request is not a visit.
      "user-agent": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/145.0",
      ...(body === undefined ? {} : { "content-type": type }),
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const { headers, status } = response
  return { status, headers, error: text === "" ? undefined : JSON.parse(text).error }
}

const json = (value: unknown): Sending => ({ body: JSON.stringify(value) })

const collect = () => {
  const now = new Date().toISOString()
  return send("POST", `/p/${site.pixels[0]!.id}/e`, {
    ...json(makeBatch({ sentAt: now, events: [makeEvent({ time: now })] })),
    type: "text/plain",
  })
}

/** Requests that read, write, need no credentials, or stream. */
const requests = () => [
  send("GET", "/v1/data/pixels"),
  send("GET", "/v1/data"),
  send("GET", "/v1/data/suppression-rules"),
  send("POST", "/v1/data/pixels", json({ domain: "stopped.example" })),
  send("PUT", "/v1/data/suppression-rules", json({ rules: [] })),
  send("DELETE", `/v1/data/pixels/${randomUUID()}`),
  send(
    "POST",
    "/v1/data/query",
    json({
      ruleAst: { version: 1, rule: { field: "behavior.sessions", op: "gte", value: 1 } },
    }),
  ),
  send("POST", "/v1/auth/login", json(site.owner)),
  send("POST", "/v1/admin/import/people", {
    body: JSON.stringify({ email: "jane@harbor.example" }),
    type: "application/x-ndjson",
  }),
  collect(),
]

it("a request is 503 with Retry-After while Postgres is stopped, and succeeds when it continues", async () => {
  signal("SIGSTOP")
  const asked = Promise.all(requests())
  const [alive, notReady] = await Promise.all([send("GET", "/healthz"), send("GET", "/readyz")])
  const answers = [...(await asked), ...(await Promise.all(requests()))]

  expect(alive.status).toBe(200)
  expect([notReady.status, notReady.headers.get("retry-after")]).toEqual([503, "1"])
  expect(answers.map(({ error, status }) => [status, error?.code])).toEqual(
    answers.map(() => [503, "SERVICE_UNAVAILABLE"]),
  )
  for (const { headers } of answers) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
  }

  signal("SIGCONT")
  await expect.poll(async () => (await send("GET", "/readyz")).status).toBe(200)
  expect((await send("GET", "/v1/data")).status).toBe(200)
  expect((await collect()).status).toBe(204)
  // The workers continue, too.
  await site.drain()
})
