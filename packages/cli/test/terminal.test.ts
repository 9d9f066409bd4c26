// The command on a real (pseudo-)terminal: tables instead of JSON, optional color, and a typed key
// that is never shown.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { configDirectory, footfallOnTerminal, hasScript } from "./fixtures/footfall.ts"
import { account, apiKey, jane, me } from "./fixtures/records.ts"

type Screen = ReturnType<typeof footfallOnTerminal>

/** Everything shown until the command ended, and how it ended. */
const ended = async (screen: Screen): Promise<{ text: string; exitCode: number | null }> => {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  screen.on("close", resolve)
  let text = ""
  screen.stdout.setEncoding("utf8").on("data", (chunk) => (text += chunk))
  return { exitCode: await promise, text }
}

/** Resolves once the text is shown. */
const shown = (screen: Screen, expected: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let text = ""
  screen.stdout.setEncoding("utf8").on("data", (chunk) => {
    text += chunk
    if (text.includes(expected)) resolve()
  })
  return promise
}

describe.skipIf(!hasScript)("on a terminal", () => {
  let api: FakeApi
  let environment: NodeJS.ProcessEnv

  beforeEach(async () => {
    api = await FakeApi.start()
    api.visitorsTotal = 5
    environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }
  })

  afterEach(() => api[Symbol.asyncDispose]())

  test.each([60, 100, 140])("the list is a table that fits %i columns", async (columns) => {
    const screen = footfallOnTerminal(["visitors", "list"], { environment, columns })

    const { text, exitCode } = await ended(screen)

    const lines = stripVTControlCharacters(text).split("\r\n")
    expect(lines[0]).toMatch(/^Email .*Last seen$/)
    expect(lines.every((line) => line.length <= columns)).toBe(true)
    expect(text).toContain("\u001B[1m")
    expect(exitCode).toBe(0)
  })

  test.each([
    ["NO_COLOR", [], { NO_COLOR: "1" }],
    ["--no-color", ["--no-color"], {}],
    ["NO_COLOR against FORCE_COLOR", [], { NO_COLOR: "1", FORCE_COLOR: "3" }],
  ])("%s draws without color", async (_what, words, colors) => {
    const screen = footfallOnTerminal(["visitors", "list", ...words], {
      environment: { ...environment, ...colors },
      columns: 100,
    })

    const { text } = await ended(screen)

    expect(text).toContain("5 visitors in the last 7 days")
    expect(text).not.toContain("\u001B")
  })

  /** Answers the first request with 429. */
  const limitFirst = (retryAfterSeconds: number): void => {
    let asked = 0
    api.answer = (request, response) => {
      asked += 1
      if (asked > 1) return api.answerAsUsual(request, response)
      response.writeHead(429, { "retry-after": String(retryAfterSeconds) })
      response.end(JSON.stringify({ error: { code: "RATE_LIMITED", message: "Wait." }, meta: {} }))
    }
  }

  test("a command without a screen shows a countdown for the rate limit, and erases it", async () => {
    limitFirst(3)
    const screen = footfallOnTerminal(["visitors", "list"], { environment, columns: 100 })

    const { text, exitCode } = await ended(screen)

    const [, ...parts] = text.split("\r\u001B[2K")
    const [list, ...waited] = parts.toReversed()
    // The SDK waits a little longer than the server asks.
    expect(waited.length).toBeGreaterThanOrEqual(3)
    expect(waited).toEqual(
      waited.map((_, before) => `Rate limit reached: continuing in ${before + 1}s.`),
    )
    expect(stripVTControlCharacters(list!)).toMatch(/^Email .*Last seen\r\n/)
    expect(exitCode).toBe(0)
  })

  test("--quiet hides the wait for the rate limit", async () => {
    limitFirst(1)
    const words = ["visitors", "list", "--quiet"]
    const screen = footfallOnTerminal(words, { environment, columns: 100 })

    const { text, exitCode } = await ended(screen)

    expect(text).not.toContain("Rate limit")
    expect(stripVTControlCharacters(text)).toMatch(/^Email /)
    expect(exitCode).toBe(0)
  })

  test("a terminal that cannot erase a line gets one line for the wait", async () => {
    limitFirst(2)
    const screen = footfallOnTerminal(["account", "--json"], {
      environment: { ...environment, TERM: "dumb" },
      columns: 100,
    })

    const { text } = await ended(screen)

    expect(text).toMatch(/^Rate limit reached: continuing in [23]s\.\r\n\{/)
  })

  test("Ctrl-C erases the countdown", async () => {
    limitFirst(60)
    const screen = footfallOnTerminal(["account"], { environment, columns: 100 })
    const over = ended(screen)
    await shown(screen, "continuing in 59s.")

    screen.stdin.write("\u0003")

    const { text, exitCode } = await over
    expect(text.slice(-9)).toBe("s.^C\r\u001B[2K")
    expect(exitCode).toBe(130)
  })

  test("--json prints JSON on a terminal too", async () => {
    const screen = footfallOnTerminal(["pixels", "list", "--json"], { environment, columns: 80 })

    const { text } = await ended(screen)

    expect(JSON.parse(text).data).toHaveLength(1)
  })

  test.each([
    ["a list", ["visitors", "list"]],
    ["a single object", ["account"]],
    ["an unpaged list", ["audiences", "filters", "companyIndustry"]],
    ["an export", ["visitors", "export", "-", "--format", "csv"]],
  ])("untrusted text in %s cannot control the terminal as CSV either", async (_what, words) => {
    const hostile = "\u001B]52;c;aGk=\u0007\u009B2J"
    const meta = { total: 1, page: 1, limit: 50, hasMore: false, nextCursor: null }
    api.on("GET /v1/data", () => ({ data: [{ ...jane, companyName: hostile }], meta }))
    api.on("GET /v1/data/account", () => ({
      data: { ...account, organization: { ...account.organization, name: hostile } },
    }))
    api.on("GET /v1/intent/audiences/filters", () => ({ data: { companyIndustry: [hostile] } }))
    const format = words.includes("export") ? [] : ["--output", "csv"]
    const screen = footfallOnTerminal([...words, ...format], { environment, columns: 100 })

    const { text, exitCode } = await ended(screen)

    expect(text).toContain("]52;c;aGk=")
    for (const control of ["\u001B", "\u0007", "\u009B"]) expect(text).not.toContain(control)
    expect(exitCode).toBe(0)
  })

  test("an error is printed as sentences", async () => {
    const screen = footfallOnTerminal(["visitors", "list"], { columns: 80 })

    const { text, exitCode } = await ended(screen)

    expect(text).toContain("error: No API key found.\r\nRun: footfall profiles create")
    expect(exitCode).toBe(4)
  })

  test("profiles create prompts for the key and does not show it", async () => {
    const directory = configDirectory()
    const screen = footfallOnTerminal(["profiles", "create", "demo"], {
      environment: { FOOTFALL_CONFIG_DIR: directory },
      columns: 100,
    })
    const end = ended(screen)

    await shown(screen, "(hidden)")
    screen.stdin.write(`${apiKey}\r`)
    const { text, exitCode } = await end

    expect(text).not.toContain(apiKey.slice(0, 8))
    expect(text).toContain("Created profile demo in")
    expect(readFileSync(join(directory, "config.json"), "utf8")).toContain(apiKey)
    expect(exitCode).toBe(0)
  })

  test("Ctrl-C at the prompt exits with 130 and saves nothing", async () => {
    const directory = configDirectory()
    const screen = footfallOnTerminal(["profiles", "create", "demo"], {
      environment: { FOOTFALL_CONFIG_DIR: directory },
      columns: 100,
    })
    const end = ended(screen)

    await shown(screen, "(hidden)")
    screen.stdin.write("\u0003")
    const { exitCode } = await end

    expect(() => readFileSync(join(directory, "config.json"))).toThrow("ENOENT")
    expect(exitCode).toBe(130)
  })

  describe("irreversible actions require confirmation", () => {
    const email = "jane.mercer@harbor-logistics.example"
    const route = `DELETE /v1/data/visitors/${jane.emailHash}`

    const answered = async (answer: string) => {
      api.on(route, () => ({ data: { deleted: true } }))
      const screen = footfallOnTerminal(["visitors", "erase", email], { environment, columns: 100 })
      const end = ended(screen)
      await shown(screen, "to continue:")
      screen.stdin.write(`${answer}\r`)
      return end
    }

    test("typing the address erases the person", async () => {
      const { text, exitCode } = await answered(email)

      expect(text).toContain(`Erased ${email}.`)
      expect(api.seen(route)).toHaveLength(1)
      expect(exitCode).toBe(0)
    })

    test.each(["y", "", `${email}x`])("typing %j erases no one", async (answer) => {
      const { text, exitCode } = await answered(answer)

      expect(text).toContain("Canceled. Nothing was changed.")
      expect(api.seen(route)).toEqual([])
      expect(exitCode).toBe(1)
    })
  })

  test("login to a server without a console prompts for the email address, and for the password without showing it", async () => {
    const directory = configDirectory()
    const error = { code: "FORBIDDEN", message: "This server has no console." }
    api.on("POST /v1/auth/device", () => ({ status: 403, error }))
    const tokens = {
      accessToken: "a.b.c",
      tokenType: "Bearer",
      expiresIn: 3600,
      refreshToken: "rt",
    }
    api.on("POST /v1/auth/login", () => ({ data: tokens }))
    api.on("GET /v1/auth/me", () => ({ data: me }))
    const screen = footfallOnTerminal(["login"], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_CONFIG_DIR: directory },
      columns: 100,
    })
    const end = ended(screen)

    await shown(screen, "Email")
    screen.stdin.write(`${me.user.email}\r`)
    await shown(screen, "(hidden)")
    screen.stdin.write("correct horse\r")
    const { text, exitCode } = await end

    expect(JSON.parse(api.seen("POST /v1/auth/login")[0]?.body ?? "")).toEqual({
      email: me.user.email,
      password: "correct horse",
    })
    expect(text).not.toContain("correct")
    expect(text).toContain(`Signed in as ${me.user.email}, owner of Tidewater, in the profile`)
    expect(exitCode).toBe(0)
  })

  test.each([[[]], [["--json"]]])(
    "accept-invitation %j names the organization and the address before it asks for the password",
    async (words) => {
      api.on("POST /v1/auth/invitation", () => ({
        data: {
          organization: { name: "Harbor\u202e Ltd" },
          email: "ida@harbor.example",
          role: "viewer",
        },
      }))
      const tokens = {
        accessToken: "a.b.c",
        tokenType: "Bearer",
        expiresIn: 3600,
        refreshToken: "rt",
      }
      api.on("POST /v1/auth/accept-invite", () => ({ data: tokens }))
      api.on("GET /v1/auth/me", () => ({ data: me }))
      const screen = footfallOnTerminal(["accept-invitation", ...words], {
        environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_CONFIG_DIR: configDirectory() },
        columns: 100,
      })
      const end = ended(screen)

      await shown(screen, "(hidden)")
      screen.stdin.write("inv_1\r")
      await shown(screen, "Password (of your account, or a new one)")
      expect(api.seen("POST /v1/auth/accept-invite")).toEqual([])
      screen.stdin.write("correct horse\r")
      await shown(screen, "Repeat password")
      screen.stdin.write("correct horse\r")
      const { text, exitCode } = await end

      expect(exitCode).toBe(0)
      const [before] = text.split("Password (of your account, or a new one)")
      expect(before).toContain("You join Harbor Ltd as viewer, and sign in as ida@harbor.example.")
      expect(JSON.parse(api.seen("POST /v1/auth/invitation")[0]?.body ?? "")).toEqual({
        token: "inv_1",
      })
      expect(text).not.toContain("inv_1")
    },
  )

  test("accept-invitation reports an invitation that no longer works before it asks for a password", async () => {
    const error = { code: "AUTHENTICATION_ERROR", message: "This invitation is invalid." }
    api.on("POST /v1/auth/invitation", () => ({ status: 401, error }))
    const screen = footfallOnTerminal(["accept-invitation"], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_CONFIG_DIR: configDirectory() },
      columns: 100,
    })
    const end = ended(screen)

    await shown(screen, "(hidden)")
    screen.stdin.write("inv_1\r")
    const { text, exitCode } = await end

    expect(text).toContain("This invitation is invalid.")
    expect(text).not.toContain("Password")
    expect(exitCode).toBe(4)
  })

  test("members create says whether the server emails the invitation, which older servers don't", async () => {
    const route = `POST /v1/organizations/${me.organization.id}/members`
    api.on("GET /v1/auth/me", () => ({ data: me }))
    const said: Array<string> = []
    for (const emailSent of [true, false, undefined]) {
      const member = { email: "lee@example.com", role: "viewer", status: "pending" }
      api.on(route, () => ({ data: { member, inviteToken: "inv_1", emailSent } }))
      const screen = footfallOnTerminal(["members", "create", "lee@example.com"], {
        environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_ACCESS_TOKEN: "a.b.c" },
        columns: 200,
      })
      said.push((await ended(screen)).text)
    }

    expect(said[0]).toContain("The server emails them an invitation.")
    expect(said[1]).toContain("This server sends no email, so send them this invitation yourself")
    expect(said[2]).toContain("until they accept. Send them this invitation (shown")
  })

  test("an export shows its progress, and finally what the file contains", async () => {
    api.visitorsTotal = 220
    const file = join(configDirectory(), "visitors.csv")
    const screen = footfallOnTerminal(["visitors", "export", file], { environment, columns: 100 })

    const { text, exitCode } = await ended(screen)

    expect(stripVTControlCharacters(text)).toContain(`Exporting to ${file}`)
    expect(stripVTControlCharacters(text)).toMatch(/█+░* {2}\d+ of 220 rows/)
    expect(stripVTControlCharacters(text)).toMatch(/220 visitors in .*visitors\.csv \(\d+ KiB\)/)
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(222)
    expect(exitCode).toBe(0)
  })

  test("the doctor shows its checks", async () => {
    api.on("GET /v1/data/account", () => ({ data: account }))
    const screen = footfallOnTerminal(["doctor"], { environment, columns: 80 })

    const { text, exitCode } = await ended(screen)

    expect(stripVTControlCharacters(text)).toContain("No problems found.")
    expect(exitCode).toBe(0)
  })
})
