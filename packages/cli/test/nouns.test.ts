// Sessions, erasure, pixels, account, keys and members as a user runs them: the requests, the
// output, and the confirmation before a deletion.

import { randomUUID } from "node:crypto"
import { suggestionText } from "../src/pixels/words.ts"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import {
  account,
  apiKey,
  jane,
  me,
  member,
  organization,
  otherApiKey,
  pixel,
  pixelWithCode,
  session,
  storedKey,
} from "./fixtures/records.ts"

let api: FakeApi
let environment: NodeJS.ProcessEnv

const listMeta = { total: 1, limit: 50, offset: 0, hasMore: false, nextCursor: null }

beforeEach(async () => {
  api = await FakeApi.start()
  environment = {
    FOOTFALL_BASE_URL: api.baseUrl,
    FOOTFALL_API_KEY: apiKey,
    FOOTFALL_ACCESS_TOKEN: "header.claims.signature",
  }
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) => footfall(words, { environment })

const sent = (route: string): unknown => JSON.parse(api.seen(route).at(-1)?.body ?? "null")

const janeId = jane.emailHash
const deleted = { data: { deleted: true } }

describe("visitors sessions", () => {
  const route = `GET /v1/data/visitors/${janeId}/sessions`

  beforeEach(() => {
    const meta = { asOf: "2026-03-11T09:00:00.000Z", limit: 50, hasMore: false, nextCursor: null }
    api.on(route, () => ({ data: [session], meta }))
  })

  test.each([` ${jane.email?.toUpperCase()} `, janeId.toUpperCase()])(
    "accepts an address or a hash: %s",
    async (visitor) => {
      const { stdout } = await run("visitors", "sessions", visitor, "--timeframe", "7d")

      expect(api.seen(route).map(({ url }) => url.search)).toEqual(["?timeframe=7d"])
      expect(JSON.parse(stdout)).toMatchObject({ data: [session], meta: { hasMore: false } })
    },
  )

  test("prints every field as CSV", async () => {
    const { stdout } = await run("visitors", "sessions", janeId, "--output", "csv")

    expect(stdout.split("\r\n")[0]?.split(",")).toEqual(Object.keys(session))
  })

  test.each(["jane", "abc123", "jane@"])("rejects %s before sending a request", async (visitor) => {
    const { exitCode, stderr } = await run("visitors", "sessions", visitor)

    expect(stderr).toContain("Expected an email address")
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })
})

describe("visitors erase", () => {
  const route = `DELETE /v1/data/visitors/${janeId}`

  test("requires confirmation", async () => {
    const { exitCode, stderr } = await run("visitors", "erase", janeId)

    expect(JSON.parse(stderr).error.message).toContain("Add --yes to skip the confirmation.")
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })

  test.each([
    [["--yes"], "?suppress=false"],
    [["--yes", "--suppress"], "?suppress=true"],
  ])("with %j asks %s", async (words, query) => {
    api.on(route, () => deleted)

    const { stdout } = await run("visitors", "erase", jane.email ?? "", ...words)

    expect(api.seen(route).map(({ url }) => url.search)).toEqual([query])
    expect(JSON.parse(stdout).data).toMatchObject({ visitorId: janeId, deleted: true })
  })
})

describe("webhooks create", () => {
  test("sends the format, and the digest with its hour", async () => {
    const created = { webhook: { id: "w", name: "#sales" }, webhookSecret: "whsec_x" }
    api.on("POST /v1/data/webhooks", () => ({ data: created }))
    const url = "https://hooks.slack.example/x"
    const digest = ["--digest", "weekly", "--digest-day", "5", "--digest-hour", "0"]
    const words = ["--format", "slack", ...digest]

    const { stdout } = await run("webhooks", "create", "#sales", url, ...words)

    expect(sent("POST /v1/data/webhooks")).toEqual({
      name: "#sales",
      url,
      format: "slack",
      digest: "weekly",
      digestDay: 5,
      digestHour: 0,
    })
    expect(JSON.parse(stdout).data).toEqual(created)
  })

  describe("with recipients", () => {
    const [ann, bob] = [randomUUID(), randomUUID()]
    const created = { webhook: { id: "w", name: "Pricing" }, webhookSecret: null }
    const words = ["webhooks", "create", "Pricing", "--format", "email", "--recipients"]

    test("sends the ids of members named by address or id", async () => {
      api.on("POST /v1/data/webhooks", () => ({ data: created }))
      api.on("GET /v1/auth/me", () => ({ data: { organization: { id: "o" } } }))
      api.on("GET /v1/organizations/o/members", () => ({
        data: [{ userId: ann, email: "ann@acme.example", role: "member" }],
        meta: { limit: 100, hasMore: false, nextCursor: null, total: 1 },
      }))

      await run(...words, `Ann@acme.example, ${bob}`)

      expect(sent("POST /v1/data/webhooks")).toEqual({
        name: "Pricing",
        format: "email",
        recipients: [ann, bob],
      })
    })

    test("sends ids as they are, without reading the members", async () => {
      api.on("POST /v1/data/webhooks", () => ({ data: created }))

      await run(...words, `${ann},${bob}`)

      expect(sent("POST /v1/data/webhooks")).toMatchObject({ recipients: [ann, bob] })
      expect(api.requests).toHaveLength(1)
    })

    test.each(["", ",", Array.from({ length: 21 }, () => ann).join(",")])(
      "rejects %j before sending a request",
      async (recipients) => {
        const { exitCode, stderr } = await run(...words, recipients)

        expect(stderr).toContain("Expected 1 to 20 addresses or ids.")
        expect(api.requests).toEqual([])
        expect(exitCode).toBe(2)
      },
    )
  })
})

describe("pixels shared-user-ids", () => {
  const path = `/v1/data/pixels/${pixel.id}/shared-user-ids`
  const shared = {
    id: "8c1f0d6e-5b0a-8f4e-9d51-7a2b3c4d5e6f",
    userId: "demo-account",
    sharedAt: "2026-03-11T09:00:00.000Z",
  }

  beforeEach(() => {
    api.on("GET /v1/data/pixels", () => ({ data: [pixel] }))
    api.on(`GET ${path}`, () => ({ data: [shared] }))
  })

  test("list prints what strangers share", async () => {
    const { stdout } = await run("pixels", "shared-user-ids", "list", pixel.domain)

    expect(JSON.parse(stdout).data).toEqual([shared])
  })

  test("release takes the user id as the site sends it", async () => {
    api.on(`DELETE ${path}/${shared.id}`, () => ({ data: { deleted: true } }))

    const { stdout } = await run(
      "pixels",
      "shared-user-ids",
      "release",
      pixel.domain,
      shared.userId,
    )

    expect(JSON.parse(stdout).data).toEqual({ id: shared.id, deleted: true })
  })
})

describe("pixels write-keys", () => {
  const keys = `/v1/data/pixels/${pixel.id}/write-keys`
  const key = {
    id: "5e0c2f7a-3f5b-4a0e-9a55-2b7d1f7f9a01",
    name: "Checkout",
    kind: "server",
    last4: "x7Qd",
    createdAt: "2026-03-11T09:00:00.000Z",
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  }

  beforeEach(() => api.on("GET /v1/data/pixels", () => ({ data: [pixel] })))

  test("create names the pixel by its domain and prints the key once", async () => {
    api.on(`POST ${keys}`, () => ({ data: { writeKey: "wk_secret", key } }))

    const { stdout } = await run("pixels", "write-keys", "create", pixel.domain, "Checkout")

    expect(sent(`POST ${keys}`)).toEqual({ name: "Checkout" })
    expect(JSON.parse(stdout).data).toEqual({ writeKey: "wk_secret", key })
  })

  test("list prints the keys of the pixel, and get one of them", async () => {
    api.on(`GET ${keys}`, () => ({ data: [key] }))

    const list = await run("pixels", "write-keys", "list", pixel.id)
    const one = await run("pixels", "write-keys", "get", pixel.id, key.id)
    const none = await run("pixels", "write-keys", "get", pixel.id, pixel.id)

    expect(JSON.parse(list.stdout).data).toEqual([key])
    expect(JSON.parse(one.stdout).data).toEqual(key)
    expect(none.exitCode).toBe(5)
  })

  test("delete sends the grace period and requires confirmation", async () => {
    api.on(`DELETE ${keys}/${key.id}`, () => deleted)
    const words = ["pixels", "write-keys", "delete", pixel.id, key.id]

    const refused = await run(...words)
    const { stdout } = await run(...words, "--grace-hours", "24", "--yes")

    expect(refused.exitCode).toBe(2)
    expect(sent(`DELETE ${keys}/${key.id}`)).toEqual({ graceHours: 24 })
    expect(JSON.parse(stdout).data).toEqual({ id: key.id, deleted: true })
  })

  test("the confirmation for a delete by name shows name and id", async () => {
    api.on(`GET ${keys}`, () => ({ data: [key] }))

    const { stderr } = await run("pixels", "write-keys", "delete", pixel.domain, "Checkout")

    expect(stderr).toContain(`The write key Checkout (${key.id}) will stop working now.`)
  })
})

describe("pixels", () => {
  const one = `/v1/data/pixels/${pixel.id}`

  test("create sends settings that are valid JSON as JSON, and others as text", async () => {
    api.on("POST /v1/data/pixels", () => ({ data: pixelWithCode }))
    const settings = [
      "consent=required",
      "respectDnt=true",
      "cookieDomain=null",
      `pricingPaths=["/p"]`,
    ]

    const words = settings.flatMap((setting) => ["--set", setting])
    const { stdout } = await run("pixels", "create", "tidewater.example", ...words)

    expect(sent("POST /v1/data/pixels")).toEqual({
      domain: "tidewater.example",
      settings: {
        consent: "required",
        respectDnt: true,
        cookieDomain: null,
        pricingPaths: ["/p"],
      },
    })
    expect(JSON.parse(stdout).data).toEqual(pixelWithCode)
  })

  test("for a site with www. says that the domain of its pixel has none", async () => {
    api.on("POST /v1/data/pixels", () => ({ data: pixelWithCode }))
    const words = `The pixel's domain is ${pixel.domain}, without www. It counts both.\n`
    const create = async (...domain: ReadonlyArray<string>) =>
      (await run("pixels", "create", ...domain)).stderr

    expect(await create(`www.${pixel.domain}`)).toBe(words)
    expect(await create(`https://WWW.${pixel.domain}/`)).toBe(words)
    expect(await create(pixel.domain)).toBe("")
    expect(await create(`www.${pixel.domain}`, "--quiet")).toBe("")
  })

  test("a site that already has a pixel exits with 6 and names the pixel", async () => {
    const error = { code: "PIXEL_EXISTS", message: "There is one.", details: { pixelId: pixel.id } }
    api.on("POST /v1/data/pixels", () => ({ status: 409, error }))

    const { exitCode, stderr } = await run("pixels", "create", "tidewater.example")

    expect(JSON.parse(stderr).error.message).toBe(
      `There is one. Run: footfall pixels get ${pixel.id}`,
    )
    expect(exitCode).toBe(6)
  })

  test.each([pixel.id, pixel.domain, `https://www.${pixel.domain}/pricing`])(
    "get accepts %s",
    async (reference) => {
      api.on(`GET ${one}`, () => ({ data: pixelWithCode }))

      const { stdout } = await run("pixels", "get", reference)

      expect(JSON.parse(stdout).data).toEqual(pixelWithCode)
    },
  )

  test("a domain without a pixel is not found", async () => {
    const { exitCode, stderr } = await run("pixels", "get", "other.example")

    expect(JSON.parse(stderr).error.message).toContain("Run: footfall pixels list")
    expect(exitCode).toBe(5)
  })

  test.each([
    [["--status", "paused"], { status: "paused" }],
    [["--exclude", "/a", "/b"], { excludedPaths: ["/a", "/b"], includedPaths: null }],
    [["--include", "/a"], { includedPaths: ["/a"], excludedPaths: null }],
    [["--all-paths"], { includedPaths: null, excludedPaths: null }],
    [["--name", "Shop", "--set", "spa=off"], { name: "Shop", settings: { spa: "off" } }],
  ])("update %j sends only the given values", async (words, changes) => {
    api.on(`PATCH ${one}`, () => ({ data: pixel }))

    await run("pixels", "update", pixel.id, ...words)

    expect(sent(`PATCH ${one}`)).toEqual(changes)
  })

  test.each([[[]], [["--exclude", "/a", "--include", "/b"]], [["--set", "spa"]]])(
    "update %j is a usage error",
    async (words) => {
      expect((await run("pixels", "update", pixel.id, ...words)).exitCode).toBe(2)
      expect(api.requests).toEqual([])
    },
  )

  test.each([
    [null, 0, "works"],
    ["paused", 1, "paused"],
    ["domain_mismatch", 1, "not from tidewater.example"],
    ["script_missing", 1, "is not on the home page of tidewater.example"],
    ["no_events", 1, "No events from tidewater.example"],
  ])("verify explains %s and exits with %i", async (reason, exitCodeExpected, words) => {
    api.on(`GET ${one}`, () => ({ data: pixelWithCode }))
    const verification = {
      ...{ verified: reason === null, verifiedAt: null, lastEventAt: null, reason },
      findings: [],
    }
    api.on(`POST ${one}/verify`, () => ({ data: verification }))

    const { exitCode, stdout } = await run("pixels", "verify", pixel.domain)

    expect(JSON.parse(stdout).data).toMatchObject({ ...verification, domain: pixel.domain })
    expect(JSON.parse(stdout).data.message).toContain(words)
    expect(exitCode).toBe(exitCodeExpected)
  })

  test("verify reports what the site shows, and the next step for each finding", async () => {
    api.on(`GET ${one}`, () => ({ data: pixelWithCode }))
    const findings = [
      {
        ...{ code: "page_read", severity: "note", message: "Read the page." },
        values: ["https://tidewater.example/", "200"],
      },
      {
        ...{ code: "csp_blocks_script", severity: "problem", message: "The policy blocks it." },
        values: ["script-src 'self'"],
      },
      { code: "of_a_newer_server", severity: "note", message: "Something else.", values: [] },
    ]
    const verification = { verified: false, verifiedAt: null, lastEventAt: null }
    api.on(`POST ${one}/verify`, () => ({
      data: { ...verification, reason: "no_events", findings },
    }))

    const { stdout } = await run("pixels", "verify", pixel.domain)

    const nextStep = "Add the script-src shown by: footfall pixels get tidewater.example"
    const { data } = JSON.parse(stdout)
    expect([data.message, data.nextStep]).toEqual([
      "No events from tidewater.example have arrived yet. The policy blocks it.",
      nextStep,
    ])
    expect(data.findings).toEqual([
      { ...findings[0], nextStep: null },
      { ...findings[1], nextStep },
      { ...findings[2], nextStep: null },
    ])
  })

  describe("suggest-topics", () => {
    const rule = {
      path: "/warehouse",
      topicId: 1204,
      topicName: "Warehouse Management Software",
      evidence: {
        url: "https://tidewater.example/warehouse",
        title: "Warehouse",
        words: ["warehouse management"],
        similarity: 0.8,
      },
    }
    const pages = [{ url: "https://tidewater.example/", title: "Tidewater", unreadable: null }]
    const suggest = (rules: ReadonlyArray<object>) => {
      api.on(`GET ${one}`, () => ({ data: pixelWithCode }))
      api.on(`POST ${one}/suggest-topics`, () => ({ data: { rules, pages } }))
      api.on(`PATCH ${one}`, () => ({ data: pixel }))
    }

    test("prints the rules, their evidence and how to add them, without changing anything", async () => {
      suggest([rule])

      const { stdout } = await run("pixels", "suggest-topics", pixel.id)
      expect(JSON.parse(stdout).data).toMatchObject({ rules: [rule], pages, applied: false })
      expect(api.seen(`PATCH ${one}`)).toEqual([])
    })

    test("--apply adds the rules to the pixel's own, and needs --yes without a terminal", async () => {
      suggest([rule])

      expect((await run("pixels", "suggest-topics", pixel.id, "--apply")).exitCode).toBe(2)
      await run("pixels", "suggest-topics", pixel.id, "--apply", "--yes")

      expect(sent(`PATCH ${one}`)).toEqual({
        settings: {
          topicRules: [...pixelWithCode.settings.topicRules, { path: "/warehouse", topicId: 1204 }],
        },
      })
    })

    test("with an empty catalog names the command that loads topics", async () => {
      const text = (hasTopics: boolean) =>
        suggestionText(pixel, { rules: [], pages: [] }, { hasTopics, isApplied: false })

      expect(text(false)).toContain("footfall-server starter-topics")
      expect(text(true)).toContain("footfall topics search")
    })
  })

  test("delete needs --yes without a terminal", async () => {
    api.on(`DELETE ${one}`, () => deleted)

    const refused = await run("pixels", "delete", pixel.id)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(`The pixel of ${pixel.domain} (${pixel.id}) will be deleted`)
    expect(api.seen(`DELETE ${one}`)).toHaveLength(0)
    expect((await run("pixels", "delete", pixel.domain, "--yes")).exitCode).toBe(0)
    expect(api.seen(`DELETE ${one}`)).toHaveLength(1)
  })

  test("delete rejects an email address instead of using its domain", async () => {
    const { exitCode, stderr } = await run("pixels", "delete", `jane@${pixel.domain}`, "--yes")

    expect(stderr).toContain(`jane@${pixel.domain} is an email address`)
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })
})

test.each([
  ["--segment", "--all-people"],
  ["--pixel", "--all-pixels"],
])("a webhook accepts %s or %s, not both", async (narrow, wide) => {
  const { exitCode, stderr } = await run("webhooks", "update", "CRM", narrow, "Buyers", wide)

  expect(stderr).toContain("cannot be used with")
  expect(exitCode).toBe(2)
  expect(api.requests).toEqual([])
})

test("account prints the API's response", async () => {
  api.on("GET /v1/data/account", () => ({ data: account }))

  const { stdout } = await run("account")

  expect(JSON.parse(stdout).data).toEqual(account)
})

test.each([
  ["pixels list --limit 1", 1, { total: 2, hasMore: true, nextCursor: null }],
  ["pixels list --all", 2, { total: 2, hasMore: false, nextCursor: null }],
])("`footfall %s` limits an unpaged list", async (words, rows, meta) => {
  api.on("GET /v1/data/pixels", () => ({ data: [pixel, { ...pixel, domain: "b.example" }] }))

  const document = JSON.parse((await run(...words.split(" "))).stdout)
  const table = await run(...words.split(" "), "--output", "table")

  expect(document.data).toHaveLength(rows)
  expect(document.meta).toEqual(meta)
  expect(table.stdout).toContain(
    rows === 1 ? "1 of 2 pixels · more: --limit, or --all" : "\n\n2 pixels\n",
  )
})

test.each([
  [["--all"], "50"],
  [["--limit", "7"], "7"],
  [[], null],
])("movers with %j requests %s", async (words, limit) => {
  api.on("GET /v1/intent/topics/movers", () => ({ data: [] }))

  await run("topics", "movers", ...words)

  const [asked] = api.seen("GET /v1/intent/topics/movers")
  expect(new URL(`http://a${asked?.url}`).searchParams.get("limit")).toBe(limit)
})

describe("keys", () => {
  test("create shows the secret, and uses the session even if there is an API key", async () => {
    api.on("POST /v1/api-keys", () => ({ data: { apiKey: storedKey, secret: otherApiKey } }))

    const { stdout } = await run("keys", "create", "crm", "--expires-at", "2027-01-31")

    const [asked] = api.seen("POST /v1/api-keys")
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      name: "crm",
      expiresAt: "2027-01-31T00:00:00.000Z",
    })
    expect(asked?.headers).toMatchObject({ authorization: "Bearer header.claims.signature" })
    expect(asked?.headers["x-api-key"]).toBeUndefined()
    expect(JSON.parse(stdout).data.secret).toBe(otherApiKey)
  })

  test("create limits the key to scopes, sites and networks, each as often as needed", async () => {
    api.on("POST /v1/api-keys", () => ({ data: { apiKey: storedKey, secret: otherApiKey } }))
    const site = "7d1c2f3a-9a4b-4a55-8c51-2f0b1f4e6a77"
    const words = "--scope visitors:read --scope intent:read --network 203.0.113.0/24"

    await run("keys", "create", "crm", ...words.split(" "), "--site", site)

    const [asked] = api.seen("POST /v1/api-keys")
    expect(JSON.parse(asked?.body ?? "")).toEqual({
      name: "crm",
      scopes: ["visitors:read", "intent:read"],
      pixelIds: [site],
      allowedNetworks: ["203.0.113.0/24"],
    })
  })

  test.each([
    ["SCOPE_MISSING", { scope: "intent:write" }, "keys create <name> --scope intent:write"],
    ["NETWORK_NOT_ALLOWED", undefined, "--network <network>"],
    ["NOT_FOR_SITE_KEYS", undefined, "Use a key without --site"],
  ])("%s says what to do", async (code, details, nextStep) => {
    api.on("GET /v1/data/segments", () => ({
      status: 403,
      error: { code, message: "Refused.", ...(details === undefined ? {} : { details }) },
    }))

    const { exitCode, stderr } = await run("segments", "list")

    expect(stderr).toContain(nextStep)
    expect(exitCode).toBe(4)
  })

  test.each([
    [["keys", "create", "crm", "--scope", "everything"], "Expected one of visitors:read"],
    [["keys", "create", "crm", "--expires-at", "soon"], "Expected a date"],
    [["keys", "create", "crm", "--save"], "needs a signed-in profile"],
    [["keys", "delete", storedKey.id], "Add --yes"],
  ])("%j is a usage error", async (words, message) => {
    const { exitCode, stderr } = await run(...words)

    expect(stderr).toContain(message)
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("list and delete send their requests", async () => {
    api.on("GET /v1/api-keys", () => ({ data: [storedKey], meta: listMeta }))
    api.on(`DELETE /v1/api-keys/${storedKey.id}`, () => deleted)

    expect(JSON.parse((await run("keys", "list")).stdout).data).toEqual([storedKey])
    expect(JSON.parse((await run("keys", "get", storedKey.id)).stdout).data).toEqual(storedKey)
    expect((await run("keys", "get", storedKey.id.replace(/.$/, "0"))).exitCode).toBe(5)
    expect((await run("keys", "delete", storedKey.id, "--yes")).exitCode).toBe(0)
  })

  test("without a session says to sign in", async () => {
    environment["FOOTFALL_ACCESS_TOKEN"] = ""

    const { exitCode, stderr } = await run("keys", "list")

    expect(JSON.parse(stderr).error.message).toContain("Run: footfall login")
    expect(exitCode).toBe(4)
  })

  test("a missing role is named", async () => {
    const error = { code: "FORBIDDEN", message: "Not allowed.", details: { required: "admin" } }
    api.on("GET /v1/api-keys", () => ({ status: 403, error }))

    const { exitCode, stderr } = await run("keys", "list")

    expect(JSON.parse(stderr).error.message).toContain("This requires the role admin.")
    expect(exitCode).toBe(4)
  })
})

describe("members", () => {
  const route = `/v1/organizations/${organization.id}/members`
  const other = "b5aed1f2-d57d-4537-a1ae-bd4970c2fe91"

  beforeEach(() => {
    api.on("GET /v1/auth/me", () => ({ data: me }))
    api.on(`GET ${route}`, () => ({ data: [member], meta: listMeta }))
  })

  test("list uses the organization of the session, or the given one", async () => {
    api.on(`GET /v1/organizations/${other}/members`, () => ({ data: [], meta: listMeta }))

    expect(JSON.parse((await run("members", "list")).stdout).data).toEqual([member])
    expect(JSON.parse((await run("members", "list", "--organization", other)).stdout).data).toEqual(
      [],
    )
  })

  test("create invites, with the role member unless another is given", async () => {
    api.on(`POST ${route}`, () => ({ data: { member, inviteToken: "inv_1" } }))

    const { stdout } = await run("members", "create", member.email)

    expect(sent(`POST ${route}`)).toEqual({ email: member.email, role: "member" })
    expect(JSON.parse(stdout).data.inviteToken).toBe("inv_1")
  })

  test.each([member.email.toUpperCase(), member.userId])(
    "invite sends %s a new invitation, with the given Idempotency-Key",
    async (reference) => {
      const path = `POST ${route}/${member.userId}/invitation`
      const pending = { ...member, status: "pending" }
      api.on(path, () => ({ data: { member: pending, inviteToken: "inv_2", emailSent: false } }))

      const { stdout } = await run("members", "invite", reference, "--idempotency-key", "k1")

      expect(JSON.parse(stdout).data).toMatchObject({ inviteToken: "inv_2", emailSent: false })
      expect(api.seen(path).map(({ headers }) => headers["idempotency-key"])).toEqual(["k1"])
    },
  )

  test("invite fails for a member who has accepted, and says so", async () => {
    const message = "This member has already accepted the invitation."
    api.on(`POST ${route}/${member.userId}/invitation`, () => ({
      status: 409,
      error: { code: "CONFLICT", message },
    }))

    const { exitCode, stderr } = await run("members", "invite", member.email)

    expect(stderr).toContain(message)
    expect(exitCode).not.toBe(0)
  })

  test.each([member.email.toUpperCase(), member.userId])("update accepts %s", async (reference) => {
    api.on(`PATCH ${route}/${member.userId}`, () => ({ data: { ...member, role: "admin" } }))

    const { exitCode } = await run("members", "update", reference, "--role", "admin")

    expect(sent(`PATCH ${route}/${member.userId}`)).toEqual({ role: "admin" })
    expect(exitCode).toBe(0)
  })

  test.each([member.email, member.userId])(
    "get shows %s, and fails for an unknown member",
    async (given) => {
      const { stdout } = await run("members", "get", given, "--fields", "email,role")

      expect(JSON.parse(stdout).data).toEqual({ email: member.email, role: member.role })
      const stranger = await run("members", "get", "x@y.example")
      expect(stranger.stderr).toContain("Run: footfall members list")
      expect(stranger.exitCode).toBe(5)
    },
  )

  test("an unknown role is rejected before any request", async () => {
    const { exitCode, stderr } = await run("members", "update", member.email, "--role", "boss")

    expect(stderr).toContain("owner, admin, member, viewer")
    expect(api.requests).toEqual([])
    expect(exitCode).toBe(2)
  })

  test("delete asks for confirmation, and fails for an unknown member", async () => {
    api.on(`DELETE ${route}/${member.userId}`, () => deleted)

    expect((await run("members", "delete", member.email)).exitCode).toBe(2)
    expect((await run("members", "delete", "x@y.example", "--yes")).exitCode).toBe(5)
    expect((await run("members", "delete", member.email, "--yes")).exitCode).toBe(0)
    expect(api.seen(`DELETE ${route}/${member.userId}`)).toHaveLength(1)
  })
})

describe("organizations", () => {
  test("get shows the organization in use", async () => {
    api.on("GET /v1/auth/me", () => ({ data: me }))
    api.on(`GET /v1/organizations/${organization.id}`, () => ({ data: organization }))

    const { stdout } = await run("organizations", "get")

    expect(JSON.parse(stdout).data).toEqual(organization)
  })

  test("update accepts networks or `none`, not both", async () => {
    const words = ["organizations", "update", "--excluded-ip", "none", "203.0.113.0/24"]

    const { exitCode, stderr } = await run(...words)

    expect(stderr).toContain("--excluded-ip accepts networks or `none`, not both.")
    expect(exitCode).toBe(2)
    expect(api.requests).toEqual([])
  })

  test("create needs a slug", async () => {
    api.on("POST /v1/organizations", () => ({ data: organization }))

    expect((await run("organizations", "create", "Tidewater")).exitCode).toBe(2)
    await run("organizations", "create", "Tidewater", "--slug", "tidewater")
    expect(sent("POST /v1/organizations")).toEqual({ name: "Tidewater", slug: "tidewater" })
  })

  test.each([
    [["--name", "Kelp"], { name: "Kelp" }],
    [["--time-zone", "Asia/Kolkata"], { timeZone: "Asia/Kolkata" }],
    [["--retention-days", "365"], { settings: { retentionDays: 365 } }],
    [["--retention-days", "none"], { settings: { retentionDays: null } }],
    [["--excluded-ip", "203.0.113.0/24"], { settings: { excludedIps: ["203.0.113.0/24"] } }],
    [["--excluded-ip", "none"], { settings: { excludedIps: [] } }],
  ])("update %j sends only the given values", async (words, changes) => {
    const route = `PATCH /v1/organizations/${organization.id}`
    api.on(route, () => ({ data: organization }))

    await run("organizations", "update", "--organization", organization.id, ...words)

    expect(sent(route)).toEqual(changes)
  })
})
