// `footfall top` as a user runs it: one snapshot in a pipe, live on a terminal. It leaves out what the server doesn't
// offer instead of failing.

import { once } from "node:events"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi, sendError } from "./fixtures/fake-api.ts"
import { footfall, footfallOnTerminal, hasScript } from "./fixtures/footfall.ts"
import { audience } from "./fixtures/intent-records.ts"
import { apiKey } from "./fixtures/records.ts"
import { run } from "./fixtures/run-records.ts"

const list = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }
const metrics = 'footfall_queue_depth{queue="runs",state="waiting"} 7\n'
let api: FakeApi
let environment: NodeJS.ProcessEnv

beforeEach(async () => {
  api = await FakeApi.start()
  api.visitorsTotal = 5
  environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  const queued = { ...run, status: "queued", attempts: 0 }
  api.on("GET /v1/data/companies", () => ({ data: [], meta: list }))
  api.on("GET /v1/intent/audiences", () => ({ data: [audience], meta: list }))
  api.on(`GET /v1/intent/audiences/${audience.id}/runs`, () => ({
    data: [queued, run],
    meta: list,
  }))
  api.answer = (seen, response) => {
    if (seen.url.pathname !== "/metrics") return api.answerAsUsual(seen, response)
    response.end(metrics)
  }
})

afterEach(() => api[Symbol.asyncDispose]())

describe("--once", () => {
  test("prints one screen, in a pipe too", async () => {
    const { exitCode, stdout, stderr } = await footfall(["top", "--once"], { environment })

    expect(stdout).toMatch(/^footfall top · http/)
    expect(stdout).toContain("jane.mercer@harbor-logistics.example")
    expect(stdout).toContain("runs 7")
    expect(stdout).toMatch(new RegExp(`run +${audience.name.slice(0, 20)}.* queued`))
    expect(stdout).toContain("Sign in to see deliveries: footfall login")
    expect(stdout).not.toContain("q quits")
    expect(stderr).toBe("")
    expect(exitCode).toBe(0)
  })

  test("is a JSON document with --json", async () => {
    const { stdout } = await footfall(["top", "--once", "--json"], { environment })

    const { data } = JSON.parse(stdout)
    expect(data.perMinute).toHaveLength(60)
    expect(data.latest).toHaveLength(5)
    expect(data.queues).toEqual([
      { queue: "runs", waiting: 7, delayed: 0, working: 0, lagSeconds: 0 },
    ])
    expect(data.runs).toEqual([expect.objectContaining({ kind: "run", audience: audience.name })])
    expect(data.deliveries).toBeNull()
  })

  test("a server without queues and audiences is not an error", async () => {
    api.answer = (seen, response) => {
      if (seen.url.pathname === "/v1/data") return api.answerAsUsual(seen, response)
      sendError(response, seen.url.pathname === "/metrics" ? 404 : 403, {
        code: "FORBIDDEN",
        message: "No.",
      })
    }

    const { exitCode, stdout } = await footfall(["top", "--once"], { environment })

    expect(stdout).toContain("does not expose its queues")
    expect(exitCode).toBe(0)
  })

  test("visitors are read page by page until an hour is covered", async () => {
    api.visitorsTotal = 500

    await footfall(["top", "--once"], { environment })

    // All visitors of the fixture are older than an hour.
    expect(api.seen("GET /v1/data")).toHaveLength(1)
  })

  test("a rejected key exits with 4", async () => {
    api.answer = (_seen, response) =>
      sendError(response, 401, { code: "AUTHENTICATION_ERROR", message: "No." })

    const { exitCode, stdout } = await footfall(["top", "--once"], { environment })

    expect(exitCode).toBe(4)
    expect(stdout).toBe("")
  })
})

test.each([
  [["top"], "Add --once to print one screen."],
  [["top", "--interval", "1", "--once"], "Expected seconds from 2 to 3600."],
])("`footfall %j` without a terminal is a usage error", async (words, message) => {
  const { exitCode, stderr } = await footfall(words, { environment })

  expect(stderr).toContain(message)
  expect(exitCode).toBe(2)
  expect(api.requests).toEqual([])
})

/** Presses the key once the text is shown. Returns how the command ended and everything it showed. */
const pressed = async (key: string, onceShown: string) => {
  const screen = footfallOnTerminal(["top", "--interval", "2"], { environment, columns: 80 })
  let text = ""
  let isPressed = false
  screen.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk
    if (isPressed || !text.includes(onceShown)) return
    isPressed = true
    screen.stdin.write(key)
  })
  const [exitCode] = await once(screen, "close")
  return { exitCode, text }
}

describe.skipIf(!hasScript)("on a terminal", () => {
  test.each(["q", "\u0003"])("it is live until %j, and restores the screen", async (key) => {
    const { exitCode, text } = await pressed(key, "q quits")

    expect(stripVTControlCharacters(text)).toContain("every 2 s · q quits")
    expect(text.indexOf("\u001B[?1049h")).toBeLessThan(text.indexOf("Latest"))
    expect(text.lastIndexOf("\u001B[?1049l")).toBeGreaterThan(text.lastIndexOf("Latest"))
    expect(exitCode).toBe(0)
  })

  test("a failure after the first screen is shown, and the screen stays", async () => {
    let looks = 0
    const usual = api.answer
    api.answer = (seen, response) => {
      if (seen.url.pathname === "/v1/data") looks += 1
      if (looks < 2) return usual?.(seen, response)
      sendError(response, 400, { code: "VALIDATION_ERROR", message: "Not today." })
    }

    const { exitCode, text } = await pressed("q", "Not today. Trying again in 2 s.")

    expect(text.slice(text.lastIndexOf("footfall top"))).toContain("jane.mercer")
    expect(exitCode).toBe(0)
  })
})
