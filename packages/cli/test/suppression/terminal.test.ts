// The confirmation of an import on a real (pseudo-)terminal: it shows the plan, and sends only after a yes.

import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { stripVTControlCharacters } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "../fixtures/fake-api.ts"
import { configDirectory, footfallOnTerminal, hasScript } from "../fixtures/footfall.ts"
import { apiKey } from "../fixtures/records.ts"
import { applied, dropRoute, importPlan, serveImports } from "../fixtures/rule-imports.ts"

describe.skipIf(!hasScript)("on a terminal", () => {
  let api: FakeApi
  let file: string

  beforeEach(async () => {
    api = await FakeApi.start()
    serveImports(api, () => importPlan({ freeMailDomains: ["gmail.com"] }))
    file = join(configDirectory(), "list.txt")
    writeFileSync(file, "acme.example\ngmail.com\n")
  })

  afterEach(() => api[Symbol.asyncDispose]())

  const answered = async (answer: string) => {
    const screen = footfallOnTerminal(["suppression", "import", file], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
      columns: 100,
    })
    let shown = ""
    const closed = once(screen, "close")
    screen.stdout.on("data", (chunk: Buffer) => {
      if (shown.includes("Continue?")) return
      shown += chunk.toString()
      if (shown.includes("Continue?")) screen.stdin.write(answer)
    })
    const [whole, [exitCode]] = await Promise.all([text(screen.stdout), closed])
    return { shown: stripVTControlCharacters(whole), exitCode }
  }

  test("shows the plan and a warning, and sends after a yes", async () => {
    const { shown, exitCode } = await answered("y\r")

    expect(shown).toContain("2 rules for Tidewater at")
    expect(shown).toContain("7 visitors from the last 30 days")
    expect(shown).toContain("warning: gmail.com is a free-mail domain")
    expect(shown).toContain("2 rows: all imported")
    expect(applied(api)).toHaveLength(1)
    expect(exitCode).toBe(0)
  })

  test.each([
    ["whose rules all exist", "acme.example\n", false],
    ["that has only a header", "type,value\n", true],
  ])("a file %s asks nothing", async (_what, content, isEmptyAllowed) => {
    writeFileSync(file, content)
    serveImports(api, () => importPlan({ new: 0 }))

    const screen = footfallOnTerminal(
      ["suppression", "import", file, ...(isEmptyAllowed ? ["--allow-empty"] : [])],
      {
        environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
        columns: 100,
      },
    )
    // An answer that would stop it.
    screen.stdin.write("n\r")
    const [shown, [exitCode]] = await Promise.all([text(screen.stdout), once(screen, "close")])

    expect(shown).not.toContain("Continue?")
    expect(exitCode).toBe(0)
  })

  test("adding a rule names an invisible character", async () => {
    const message = "Expected no invisible character, received U+200B (zero width space)."
    const row = { index: 0, type: "domain", value: "ac\u200bme.example" }
    api.on("POST /v1/data/suppression-rules", () => ({
      data: {
        ...{ added: 0, removed: 0, duplicates: 0, total: 2, rejectedCount: 1 },
        rejected: [{ ...row, reason: "invalid_domain", message }],
      },
    }))

    const screen = footfallOnTerminal(["suppression", "add", "domain", row.value], {
      environment: { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey },
      columns: 120,
    })

    expect(await text(screen.stdout)).toContain(`Rejected: ${row.value} (${message})`)
  })

  test.each([
    ["\r", 1],
    ["n\r", 1],
    ["\u0003", 130],
  ])("%j applies nothing, drops the plan and exits with %i", async (answer, code) => {
    const { exitCode } = await answered(answer)

    expect([applied(api).length, api.seen(dropRoute).length]).toEqual([0, 1])
    expect(exitCode).toBe(code)
  })
})
