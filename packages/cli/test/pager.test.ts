// The pager on a real (pseudo-)terminal of 24 rows. Long output goes through it. Short output, pipes and JSON don't.
// Quitting the pager is not an error.

import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { FakeApi, sendError } from "./fixtures/fake-api.ts"
import { footfall, footfallOnTerminal, hasScript } from "./fixtures/footfall.ts"
import { account, apiKey } from "./fixtures/records.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const PAGED = "echo PAGED; cat"
let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  api.visitorsTotal = 120
  api.on("GET /v1/data/account", () => ({ data: account }))
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
})

afterEach(() => api[Symbol.asyncDispose]())

/** Everything shown, and how the command ended. */
const shown = async (words: string, more: NodeJS.ProcessEnv = {}) => {
  const screen = footfallOnTerminal(words.split(" "), {
    environment: { ...environment, ...more },
    columns: 100,
    rows: 24,
  })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  screen.on("close", resolve)
  return { text: stripVTControlCharacters(await text(screen.stdout)), exitCode: await promise }
}

describe.skipIf(!hasScript)("on a terminal", () => {
  test.each([
    ["a long list", "visitors list --limit 100", { PAGER: PAGED }],
    ["a list of several pages", "visitors list --all", { PAGER: PAGED }],
    ["chosen fields", "visitors list --limit 90 --fields email", { PAGER: PAGED }],
    ["help", "audiences preview --help", { PAGER: PAGED }],
    ["FOOTFALL_PAGER before PAGER", "--help", { FOOTFALL_PAGER: PAGED, PAGER: "false" }],
  ])("%s goes through the pager in full", async (_what, words, pager) => {
    const { text, exitCode } = await shown(words, pager)

    expect(text).toMatch(/^PAGED\r\n/)
    expect(text.split("\r\n").length).toBeGreaterThan(24)
    expect(exitCode).toBe(0)
  })

  test.each([
    ["a short result", "account", {}],
    ["short help", "account --help", {}],
    ["--no-pager", "visitors list --limit 100 --no-pager", {}],
    ["--json", "visitors list --limit 100 --json", {}],
    ["CSV", "visitors list --limit 100 --output csv", {}],
    ["an empty variable", "visitors list --limit 100", { FOOTFALL_PAGER: "" }],
    ["cat", "visitors list --limit 100", { FOOTFALL_PAGER: "cat" }],
    ["a terminal that cannot move its cursor", "visitors list --limit 100", { TERM: "dumb" }],
  ])("%s is printed without the pager", async (_what, words, more) => {
    const { text, exitCode } = await shown(words, { PAGER: PAGED, ...more })

    expect(text).not.toContain("PAGED")
    expect(text.length).toBeGreaterThan(100)
    expect(exitCode).toBe(0)
  })

  test("quitting the pager is not an error and stops further requests", async () => {
    api.visitorsTotal = 50_000

    const { text, exitCode } = await shown("visitors list --all", { PAGER: "head -3" })

    expect(text).toMatch(/^Email .*\r\n─[^\r]*\r\n\S+@\S+ [^\r]*\r\n$/)
    expect(api.requests.length).toBeLessThan(100)
    expect(exitCode).toBe(0)
  })

  test("a missing pager is reported with what to do", async () => {
    const { text, exitCode } = await shown("--help", { PAGER: "/nowhere/pager" })

    expect(text).toContain("error: Can't run the pager: /nowhere/pager")
    expect(text).toContain("add --no-pager")
    expect(exitCode).toBe(1)
  })

  test("an error is printed after the pager has closed", async () => {
    let asked = 0
    api.answer = (request, response) =>
      (asked += 1) > 1
        ? sendError(response, 400, { code: "CURSOR_EXPIRED", message: "It is too old." })
        : api.answerAsUsual(request, response)

    const { text, exitCode } = await shown("visitors list --all", { PAGER: `${PAGED}; echo LEFT` })

    expect(text).toMatch(/^PAGED[^]*LEFT\r\nerror: It is too old\./)
    expect(exitCode).toBe(1)
  })

  test(
    "less waits, handles Ctrl-C itself, and the command exits with 0",
    needs("less"),
    async () => {
      const screen = footfallOnTerminal(["visitors", "list", "--all"], {
        environment,
        columns: 100,
        rows: 24,
      })
      let text = ""
      screen.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk))
      const { promise: ended, resolve } = Promise.withResolvers<number | null>()
      screen.on("close", resolve)
      const shows = (what: RegExp) =>
        vi.waitFor(() => expect(stripVTControlCharacters(text)).toMatch(what), { timeout: 30_000 })

      await shows(/\r\n:$/)
      // Although no variable names the terminal's encoding.
      expect(text).toContain("───")
      expect(text).toContain("\u001B[1m")
      screen.stdin.write("\u0003")
      // It may have discarded typed text before it handled the Ctrl-C.
      await vi.waitFor(
        () => {
          screen.stdin.write("G")
          expect(stripVTControlCharacters(text)).toMatch(/120 visitors[^]*\(END\)/)
        },
        { timeout: 30_000, interval: 250 },
      )
      screen.stdin.write("q")

      expect(await ended).toBe(0)
      expect(text).not.toContain("error")
    },
  )
})

test("in a pipe no format uses a pager", async () => {
  const run = (words: string) =>
    footfall(words.split(" "), { environment: { ...environment, PAGER: PAGED } })

  const outcomes = await Promise.all([
    run("visitors list --limit 100 --output table"),
    run("audiences preview --help"),
  ])

  for (const { exitCode, stdout } of outcomes) {
    expect(stdout).not.toContain("PAGED")
    expect(exitCode).toBe(0)
  }
})
