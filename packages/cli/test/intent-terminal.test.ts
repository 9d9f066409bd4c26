// Topics and audiences on a real (pseudo-)terminal: charts and tables fit, colors can be turned
// off, and topics have names instead of ids.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfallOnTerminal, hasScript } from "./fixtures/footfall.ts"
import { comparisons, preview, trend } from "./fixtures/intent-records.ts"
import { apiKey } from "./fixtures/records.ts"
import { run } from "./fixtures/run-records.ts"

describe.skipIf(!hasScript)("on a terminal", () => {
  let api: FakeApi

  beforeEach(async () => {
    api = await FakeApi.start()
    api.on("GET /v1/intent/topics/1204/trend", () => ({ data: trend }))
    api.on("POST /v1/intent/topics/compare", () => ({ data: comparisons }))
    api.on("POST /v1/intent/audiences/preview", () => ({ data: preview }))
  })

  afterEach(() => api[Symbol.asyncDispose]())

  const shown = (words: ReadonlyArray<string>, columns: number, environment = {}) => {
    const known = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey, ...environment }
    return text(footfallOnTerminal(words, { environment: known, columns }).stdout)
  }

  test.each([60, 80, 120])("a trend is a chart that fits %i columns, in color", async (columns) => {
    const screen = await shown(["topics", "trend", "1204"], columns)

    const lines = stripVTControlCharacters(screen).split("\r\n")
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
    expect(lines.join("\n")).toMatch(/1,500 ┤[^┤]*[\u2801-\u28FF]/)
    expect(screen).toContain("\u001B[36m")
  })

  test("a trend without color has the same text", async () => {
    const words = ["topics", "trend", "1204"]
    const colored = await shown(words, 80)
    const plain = await shown(words, 80, { NO_COLOR: "1" })

    expect(plain).not.toContain("\u001B")
    expect(plain).toBe(stripVTControlCharacters(colored))
  })

  test("the suggested next command can be copied even if it is wider than the screen", async () => {
    api.on(`GET /v1/intent/audiences/${run.audienceId}/runs/${run.id}`, () => ({ data: run }))

    const screen = await shown(["runs", "get", run.audienceId, run.id], 60)

    const lines = ["See: footfall runs stats \\", `     ${run.audienceId} \\`, `     ${run.id}`]
    expect(screen).toContain(`\r\n${lines.join("\r\n")}\r\n`)
  })

  test("a preview names its topics, or shows ids if names cannot be loaded", async () => {
    const words = ["audiences", "preview", "--topic", "1204,3377"]
    const named = await shown(words, 100)
    api.on("POST /v1/intent/topics/compare", () => ({
      status: 429,
      error: { code: "RATE_LIMITED", message: "Too many requests." },
    }))
    const unnamed = await shown(words, 100)

    expect(named).toContain("Freight Visibility (3377)")
    expect(unnamed).toContain("1204, 3377")
    expect(unnamed).toContain("1,204 people")
  })

  test("an import shows its progress, and that the server is merging", async () => {
    const file = join(configDirectory(), "signals.csv")
    writeFileSync(file, "topicId,emailHash,score,date\n")
    const merging = Promise.withResolvers<void>()
    const result = { kind: "signals", received: 0, inserted: 0, updated: 0, unchanged: 0 }
    api.answer = async (_request, response) => {
      await merging.promise
      const data = { ...result, rejectedCount: 0, rejected: [] }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ data, meta: {} }))
    }
    const environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "a.b.c" }
    const screen = footfallOnTerminal(["import", "signals", file], { environment, columns: 80 })
    let seen = ""
    screen.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString()
      if (seen.includes("all sent, the server is merging")) merging.resolve()
    })
    const whole = await text(screen.stdout)

    expect(stripVTControlCharacters(whole)).toContain(
      "29 B · all sent, the server is merging: 0s · 0 rows",
    )
    expect(whole).toContain("0 rows of signals")
  })
})
