// The built command line against the real server, for the whole Data API and access: the commands and their exit codes
// (spec 1.1). The CLI's own package tests responses that a real server rarely gives.
import { Redacted } from "effect"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { hashPassword } from "../../src/access/password.ts"
import { domain, startServer, type TestServer } from "../support/server.ts"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"

const footfallPath = fileURLToPath(new URL("../../../cli/bin/footfall.js", import.meta.url))
const password = "correct horse battery staple"

/** A browser's user agent, because a program's requests count as a bot's. */
const browser = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/145.0"

let server: TestServer
/** The configuration's directory, so that one command's sign-in works for the next. */
let configDirectory: string

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const directory = (): string => temporaryFolder("e2e")

/** A machine on which the command has never run. */
const freshMachine = (): void => {
  configDirectory = directory()
}

interface Run {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
}

const start = (words: ReadonlyArray<string>, { environment = {}, input = "" }: Run = {}) => {
  const child = spawn(process.execPath, [footfallPath, ...words], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      HOME: process.env["HOME"],
      FOOTFALL_CONFIG_DIR: configDirectory,
      FOOTFALL_BASE_URL: server.url,
      ...environment,
    },
  })
  // A command that doesn't read its input closes it.
  child.stdin.on("error", () => undefined)
  child.stdin.end(input)
  return child
}

const footfall = async (words: ReadonlyArray<string>, options: Run = {}) => {
  const child = start(words, options)
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  // A note is plain text, an error JSON.
  const last = stderr.trimEnd().split("\n").at(-1)!
  return {
    exitCode,
    data: stdout === "" ? undefined : JSON.parse(stdout).data,
    error: last.startsWith("{") ? JSON.parse(last).error : undefined,
    said: stderr,
  }
}

/** Runs a command with the API key of the server's organization, or another one. */
const withKey = (apiKey = server.apiKey) => ({ environment: { FOOTFALL_API_KEY: apiKey } })

/** A new browser views the pricing page and identifies itself. */
const visit = async (email: string, pixelId = server.pixelId): Promise<void> => {
  const sentAt = new Date().toISOString()
  const event = { time: sentAt, url: `https://${domain}/pricing` }
  const answer = await fetch(`${server.url}/p/${pixelId}/e`, {
    method: "POST",
    headers: { "content-type": "text/plain", "user-agent": browser },
    body: JSON.stringify({
      v: 1,
      sentAt,
      anonymousId: randomUUID(),
      consent: "granted",
      timeZone: null,
      events: [
        { ...event, id: randomUUID(), type: "page" },
        { ...event, id: randomUUID(), type: "identify", email },
      ],
    }),
  })
  expect(answer.status).toBe(204)
}

/** The address of a new owner of the organization, who can sign in. */
const makeOwner = async (): Promise<string> => {
  const { email, userId } = await server.makeUser("owner")
  const hash = await hashPassword(Redacted.make(password))
  await server.sql("update user_account set password_hash = $2 where id = $1", [userId, hash])
  return email
}

const login = async (email: string) => {
  const outcome = await footfall(["login", "--email", email, "--password-stdin"], {
    input: password,
  })
  expect(outcome.error).toBeUndefined()
  return outcome
}

const configFile = (): string => join(configDirectory, "config.json")

describe("a sign-in", () => {
  it("with a password leads to a key that lists visitors, and ends", async () => {
    freshMachine()
    const email = await makeOwner()

    expect((await login(email)).data).toMatchObject({ profile: "default", role: "owner" })
    expect((await footfall(["whoami"])).data).toMatchObject({ user: { email }, hasApiKey: false })
    expect((await footfall(["keys", "create", "laptop", "--save"])).exitCode).toBe(0)
    expect((await footfall(["visitors", "list"])).exitCode).toBe(0)
    const { refreshToken } = JSON.parse(readFileSync(configFile(), "utf8")).profiles.default.session
    expect((await footfall(["logout"])).exitCode).toBe(0)

    await expect(server.sdk.auth.refresh({ refreshToken })).rejects.toMatchObject({ status: 401 })
    expect((await footfall(["keys", "list"])).exitCode).toBe(4)
    expect((await footfall(["visitors", "list"])).exitCode).toBe(0)
  })

  it("is renewed once by concurrent commands, and stays valid", async () => {
    freshMachine()
    await login(await makeOwner())
    const runOut = (): void => {
      const content = JSON.parse(readFileSync(configFile(), "utf8"))
      content.profiles.default.session.expiresAt = "2026-03-11T09:00:00.000Z"
      writeFileSync(configFile(), JSON.stringify(content), { mode: 0o600 })
    }

    for (let round = 0; round < 3; round += 1) {
      runOut()
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () => footfall(["organizations", "list"])),
      )
      expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
    }
  })

  it("with a wrong password exits with 4 and stores nothing", async () => {
    freshMachine()

    const words = ["login", "--email", await makeOwner(), "--password-stdin"]
    const { exitCode, error } = await footfall(words, { input: "wrong password" })

    expect(error).toMatchObject({ code: "AUTHENTICATION_ERROR", status: 401 })
    expect(readdirSync(configDirectory)).toEqual([])
    expect(exitCode).toBe(4)
  })
})

describe("members and keys", () => {
  it("a guest is invited, joins, is promoted and removed", async () => {
    freshMachine()
    await login(await makeOwner())
    const ownerDirectory = configDirectory
    const email = `lee-${randomUUID()}@tidewater.example`

    const { data: added } = await footfall(["members", "create", email, "--role", "viewer"])
    freshMachine()
    const guest = ["accept-invitation", "--stdin", "--name", "Lee Park"]
    const { data: came } = await footfall(guest, { input: `${added.inviteToken}\n${password}\n` })
    expect(came).toMatchObject({ user: { email, name: "Lee Park" }, role: "viewer" })
    expect((await footfall(["keys", "list"])).error).toMatchObject({ code: "FORBIDDEN" })

    configDirectory = ownerDirectory
    expect((await footfall(["members", "update", email, "--role", "admin"])).data.role).toBe(
      "admin",
    )
    expect((await footfall(["members", "delete", email, "--yes"])).exitCode).toBe(0)
    const { data: members } = await footfall(["members", "list", "--all"])
    expect(members.map((member: { readonly email: string }) => member.email)).not.toContain(email)
  })

  it("a revoked key is rejected", async () => {
    freshMachine()
    await login(await makeOwner())
    const { data: made } = await footfall(["keys", "create", "crm"])
    expect((await footfall(["account"], withKey(made.secret))).exitCode).toBe(0)

    expect((await footfall(["keys", "delete", made.apiKey.id, "--yes"])).exitCode).toBe(0)

    await vi.waitFor(
      async () => expect((await footfall(["account"], withKey(made.secret))).exitCode).toBe(4),
      { timeout: 30_000 },
    )
  })

  it("an organization is created, used and changed", async () => {
    freshMachine()
    await login(await makeOwner())
    const slug = `kelp-${randomUUID().slice(0, 8)}`

    await footfall(["organizations", "create", "Kelp", "--slug", slug])
    await footfall(["organizations", "use", slug])
    await footfall(["organizations", "update", "--retention-days", "90"])

    const { data } = await footfall(["whoami"])
    expect(data).toMatchObject({ role: "owner", organization: { slug } })
    expect(data.organization.settings.retentionDays).toBe(90)
  })
})

describe("pixels and segments", () => {
  it("a pixel is created, verified, paused and deleted by its domain", async () => {
    freshMachine()
    const made = await footfall(["pixels", "create", "https://www.Kelp.example/x"], withKey())
    expect(made.data.code).toContain(`/p/${made.data.id}.js`)
    expect(made.said).toBe("The pixel's domain is kelp.example, without www. It counts both.\n")
    const again = await footfall(["pixels", "create", "kelp.example"], withKey())
    expect(again).toMatchObject({ exitCode: 6, error: { code: "PIXEL_EXISTS" } })

    const paused = ["pixels", "update", "kelp.example", "--status", "paused", "--exclude", "/x"]
    expect((await footfall(paused, withKey())).data).toMatchObject({
      status: "paused",
      pausedReason: "manual",
      excludedPaths: ["/x"],
    })
    expect(await footfall(["pixels", "verify", "kelp.example"], withKey())).toMatchObject({
      exitCode: 1,
      data: { verified: false, reason: "paused" },
    })
    expect(
      (await footfall(["pixels", "delete", "kelp.example", "--yes"], withKey())).exitCode,
    ).toBe(0)
    expect((await footfall(["pixels", "get", "kelp.example"], withKey())).exitCode).toBe(5)
  })

  it("a segment is saved, queried, changed and deleted; an invalid rule is shown", async () => {
    freshMachine()
    const email = `${randomUUID()}@segment.example`
    await visit(email)
    await server.drain()
    const where = ["--where", `contact.email_domain eq segment.example`]

    const { data: saved } = await footfall(["segments", "create", "Kelp", ...where], withKey())
    const asked = await footfall(["visitors", "query", "--segment", saved.id], withKey())
    expect(asked.data).toMatchObject([{ email }])
    const preview = await footfall(["segments", "preview", "--segment", saved.id], withKey())
    expect(preview.data).toMatchObject({ count: 1, sample: [{ email }] })
    const rule = ["--where", "behavior.pageviews gt 1000"]
    await footfall(["segments", "update", saved.id, ...rule], withKey())
    expect((await footfall(["visitors", "query", "--segment", saved.id], withKey())).data).toEqual(
      [],
    )
    expect((await footfall(["segments", "delete", saved.id, "--yes"], withKey())).exitCode).toBe(0)
    expect((await footfall(["segments", "get", saved.id], withKey())).exitCode).toBe(5)

    const wrong = ["--where", "behavior.pageviews gte 1", "--where", "company.name atleast x"]
    const { error } = await footfall(["visitors", "query", ...wrong], withKey())
    expect(error).toMatchObject({ code: "INVALID_RULE", status: 400 })
    expect(error.message).toContain(`{"field":"company.name","op":"atleast","value":"x"}`)
  })
})

describe("visitors", () => {
  it("sessions are listed, and an erased person is not found", async () => {
    freshMachine()
    const email = `${randomUUID()}@erased.example`
    await visit(email)
    await server.drain()

    const sessions = await footfall(["visitors", "sessions", email], withKey())
    expect(sessions.data).toMatchObject([{ entryPage: "/pricing", pageviews: 1 }])
    expect((await footfall(["visitors", "erase", email, "--yes"], withKey())).exitCode).toBe(0)

    expect((await footfall(["visitors", "get", email], withKey())).exitCode).toBe(5)
    expect((await footfall(["visitors", "erase", email, "--yes"], withKey())).exitCode).toBe(5)
  })

  it("people are imported, invalid rows are reported, and the visitor's profile is completed", async () => {
    freshMachine()
    await login(await makeOwner())
    const email = `${randomUUID()}@imported.example`
    await visit(email)
    await server.drain()
    const file = join(configDirectory, "people.csv")
    writeFileSync(file, `email,jobTitle\n${email},Head of Kelp\nnot-an-address,No one\n`)

    const { exitCode, data } = await footfall(["import", "people", file])

    expect(data).toMatchObject({ received: 2, inserted: 1, rejectedCount: 1 })
    expect(data.rejected).toMatchObject([{ row: 2, field: "email" }])
    expect(exitCode).toBe(3)
    await vi.waitFor(
      async () => {
        const { data: visitor } = await footfall(["visitors", "get", email], withKey())
        expect(visitor.jobTitle).toBe("Head of Kelp")
      },
      { timeout: 30_000 },
    )
  })

  it("a killed export resumes to the same bytes as an uninterrupted one", async () => {
    freshMachine()
    const { apiKey, organizationId, pixelId } = await server.makeOrganization()
    const emails = Array.from({ length: 230 }, (_, index) => `person-${index}@kelp.example`)
    await Promise.all(emails.map((email) => visit(email, pixelId)))
    await server.drain()
    // Both files have everyone's score.
    await vi.waitFor(
      async () => {
        const scored = await server.sql(
          "select from visitor_score where organization_id = $1 and rank >= 0",
          [organizationId],
        )
        expect(scored).toHaveLength(230)
      },
      { timeout: 60_000, interval: 200 },
    )
    await using gate = await gateTo(server.url, 2)
    const file = join(configDirectory, "visitors.csv")
    const whole = join(configDirectory, "whole.csv")
    const through = { FOOTFALL_API_KEY: apiKey, FOOTFALL_BASE_URL: gate.url }

    const child = start(["visitors", "export", file], { environment: through })
    await gate.isHolding
    child.kill("SIGKILL")
    await once(child, "close")
    gate.open()
    const resumed = await footfall(["visitors", "export", file, "--resume"], {
      environment: through,
    })
    await footfall(["visitors", "export", whole], { environment: through })

    expect(resumed.data).toMatchObject({ rows: 230 })
    // Pages that arrive within a second are written to disk together.
    expect([50, 100]).toContain(resumed.data.rowsResumedFrom)
    expect(readFileSync(file, "utf8") === readFileSync(whole, "utf8")).toBe(true)
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(232)
    expect(readdirSync(configDirectory)).toEqual(["visitors.csv", "whole.csv"])
  })
})

describe("doctor", () => {
  const problems = async (apiKey: string, ...words: ReadonlyArray<string>) => {
    const { exitCode, data } = await footfall(["doctor", ...words], withKey(apiKey))
    const found = data.checks.filter(({ state }: { readonly state: string }) => state === "problem")
    return { exitCode, codes: found.map(({ code }: { readonly code: string }) => code) }
  }

  it("finds nothing wrong if there are visitors", async () => {
    freshMachine()
    await visit(`${randomUUID()}@healthy.example`)
    await server.drain()

    expect(await problems(server.apiKey, "--domain", domain)).toEqual({ exitCode: 0, codes: [] })
  })

  it("distinguishes an organization without a pixel from one whose pixel is paused or belongs to another", async () => {
    freshMachine()
    const { apiKey, pixelId } = await server.makeOrganization()
    const pause = ["pixels", "update", pixelId, "--status", "paused"]

    await footfall(pause, withKey(apiKey))
    expect((await problems(apiKey)).codes).toEqual(["pixel_paused_manual", "no_visitors"])
    expect((await problems(apiKey, "--pixel", server.pixelId)).codes).toEqual([
      "pixel_not_of_this_organization",
    ])
    await footfall(["pixels", "delete", pixelId, "--yes"], withKey(apiKey))
    expect(await problems(apiKey)).toEqual({ exitCode: 1, codes: ["no_pixel"] })
  })

  it.each(["suspended", "expired"] as const)(
    "reports an organization that is %s",
    async (status) => {
      freshMachine()
      const { apiKey } = await server.makeOrganization(status)

      expect(await problems(apiKey)).toEqual({ exitCode: 1, codes: [`organization_${status}`] })
    },
  )

  it("reports used-up credits and a refused key", async () => {
    freshMachine()
    const { apiKey, organizationId } = await server.makeOrganization()
    await server.sql("update organization set credit_limit = 0 where id = $1", [organizationId])

    expect((await problems(apiKey)).codes).toContain("credits_used_up")
    expect((await problems(`${apiKey.slice(0, -6)}000000`)).codes).toEqual(["key_refused"])
  })
})

/** A proxy to the server that answers a number of requests and holds the next ones until it is opened. */
const gateTo = async (url: string, requestsFirst: number) => {
  const held = Promise.withResolvers<void>()
  let seen = 0
  let isOpen = false
  const gate = createServer((request, response) => {
    seen += 1
    if (!isOpen && seen > requestsFirst) return held.resolve()
    const headers = { "x-api-key": String(request.headers["x-api-key"]) }
    void fetch(url + request.url, { headers }).then(async (answer) => {
      response.writeHead(answer.status, { "content-type": "application/json" })
      response.end(await answer.text())
    })
  }).listen(0, "127.0.0.1")
  await once(gate, "listening")
  return {
    // A server that listens on TCP has an address of this form.
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    isHolding: held.promise,
    open: () => {
      isOpen = true
    },
    [Symbol.asyncDispose]: async () => {
      gate.closeAllConnections()
      gate.close()
      await once(gate, "close")
    },
  }
}
