// What a client logs at each level, and what no entry ever contains.

import { afterEach, expect, it, vi } from "vitest"
import { Footfall, type FootfallOptions, type LogEntry } from "../src/index.ts"
import { resolveOptions } from "../src/options.ts"
import { accessToken, apiKey } from "./support/credentials.ts"
import { ManualClock } from "./support/manual-clock.ts"
import { answerRaw, refuse, succeed } from "./support/steps.ts"
import { scriptedServer } from "./support/scripted-server.ts"
import { call, testTransport } from "./support/transport.ts"

afterEach(() => void vi.restoreAllMocks())

const withoutTime = ({ message }: LogEntry): string => message.replace(/\d+ ms/, "… ms")

it.each([
  ["off", []],
  ["error", ["GET /v1/data/pixels: failed with NOT_FOUND"]],
  ["warn", ["GET /v1/data/pixels: waits … ms after SERVICE_UNAVAILABLE"]],
  ["info", ["GET /v1/data/pixels: 404 in … ms (request req_rtjpiop3f24wzahlzbcsj2b7co)"]],
  ["debug", ["GET /v1/data/pixels: attempt 1", "GET /v1/data/pixels: attempt 2"]],
] as const)(
  "the level %s logs its own entries and those of less verbose levels",
  async (logLevel, own) => {
    await using server = await scriptedServer([
      refuse(503, "SERVICE_UNAVAILABLE", { headers: { "retry-after": "2" } }),
      refuse(404, "NOT_FOUND"),
    ])
    const entries: Array<LogEntry> = []
    const options = {
      baseUrl: server.baseUrl,
      logLevel,
      log: (entry: LogEntry) => void entries.push(entry),
    }
    const transport = testTransport(options, new ManualClock({ random: 0 }))

    await expect(transport.request(call())).rejects.toThrow()

    expect(entries.filter(({ level }) => level === logLevel).map(withoutTime)).toEqual(
      expect.arrayContaining([...own]),
    )
    const levels = ["off", "error", "warn", "info", "debug"]
    const most = levels.indexOf(logLevel)
    expect(new Set(entries.map(({ level }) => level))).toEqual(new Set(levels.slice(1, most + 1)))
  },
)

it("no entry contains a credential, a query, a body, a header or a server message", async () => {
  const leak = `${apiKey} ${accessToken} jane@acme.example`
  await using server = await scriptedServer([
    answerRaw(
      200,
      { "x-request-id": apiKey, "x-leak": leak },
      JSON.stringify({ data: [leak], meta: {} }),
    ),
    refuse(400, `JANE@acme.example ${apiKey}`, { details: leak }),
  ])
  const entries: Array<LogEntry> = []
  const footfall = new Footfall({
    apiKey,
    accessToken,
    baseUrl: server.baseUrl,
    logLevel: "debug",
    log: (entry) => void entries.push(entry),
  })

  await footfall.visitors.get({ email: "jane@acme.example" })
  await footfall.suppression.add([{ type: "email", value: "jane@acme.example" }]).catch(() => {})

  const text = JSON.stringify(entries)
  expect(entries).toHaveLength(5)
  expect(text).toContain("(request [redacted])")
  expect(text).toContain("failed with UNKNOWN")
  expect(text).not.toMatch(/jane|sk_0|eyJ/i)
})

it("control characters in a path or an id never reach a terminal", async () => {
  const entries: Array<LogEntry> = []
  const fetch = async () =>
    Response.json({ data: [], meta: {} }, { headers: { "x-request-id": "a\tb" } })
  const footfall = new Footfall({
    fetch,
    logLevel: "info",
    log: (entry) => void entries.push(entry),
  })

  await footfall.request({ method: "GET", path: "/v1/\u001B[2J" })

  expect(entries[0]?.message).toMatch(/^GET \/v1\/�\[2J: 200 in \d+ ms \(request a�b\)$/)
})

it("by default nothing is logged; FOOTFALL_LOG switches it on, to standard error", async () => {
  const written = vi.spyOn(console, "warn").mockImplementation(() => {})
  const printed = vi.spyOn(console, "log").mockImplementation(() => {})
  const fetch = async () => Response.json({ data: [], meta: {} })

  const send = async (options: FootfallOptions, environment: Record<string, string>) => {
    vi.stubEnv("FOOTFALL_LOG", environment["FOOTFALL_LOG"] ?? "")
    await new Footfall({ apiKey, fetch, ...options }).pixels.list()
    vi.unstubAllEnvs()
  }
  await send({}, {})
  expect(written).not.toHaveBeenCalled()
  await send({}, { FOOTFALL_LOG: "info" })
  await send({ logLevel: "off" }, { FOOTFALL_LOG: "info" })

  expect(written).toHaveBeenCalledOnce()
  expect(written.mock.calls[0]?.[0]).toMatch(
    /^footfall info: GET \/v1\/data\/pixels: 200 in \d+ ms$/,
  )
  expect(printed).not.toHaveBeenCalled()
})

it("an unknown level is rejected with a list of levels", () => {
  expect(() => resolveOptions({}, { FOOTFALL_LOG: "verbose" })).toThrow(
    'logLevel (FOOTFALL_LOG) must be off, error, warn, info, debug; received "verbose"',
  )
  const logLevel: "off" = JSON.parse('"loud"')
  expect(() => resolveOptions({ logLevel }, {})).toThrow('received "loud"')
})

it("logs a wait for the rate limit as such", async () => {
  const limited = { "ratelimit-limit": "1", "ratelimit-remaining": "0", "ratelimit-reset": "5" }
  await using server = await scriptedServer([
    answerRaw(200, limited, JSON.stringify({ data: [], meta: {} })),
    succeed([]),
  ])
  const entries: Array<LogEntry> = []
  const options = {
    baseUrl: server.baseUrl,
    logLevel: "warn" as const,
    log: (entry: LogEntry) => void entries.push(entry),
  }
  const transport = testTransport(options, new ManualClock({ random: 0 }))

  await transport.request(call())
  await transport.request(call())

  expect(entries.map(withoutTime)).toEqual(["GET /v1/data/pixels: waits … ms for the rate limit"])
})
