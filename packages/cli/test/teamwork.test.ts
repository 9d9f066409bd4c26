// Owners, tags and notes on the command line: what is sent, and what is printed.

import { createHash } from "node:crypto"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FakeApi } from "./fixtures/fake-api.ts"
import { footfall } from "./fixtures/footfall.ts"
import { apiKey, me, member, storedKey } from "./fixtures/records.ts"

const email = "jane@acme.example"
const hash = createHash("sha256").update(email).digest("hex")
const person = `/v1/data/visitors/${hash}`
const company = "/v1/data/companies/acme.example"
const noteId = "4f3a2b1c-0d9e-4f7a-8b6c-5d4e3f2a1b0c"
const owner = { id: member.userId, name: "Sam Ortiz", email: member.email }
const record = { owner: null, tags: ["Pilot", "Q3"] }
const note = {
  id: noteId,
  text: "Call back",
  author: { kind: "key", id: storedKey.id, name: "CRM" },
  createdAt: "2026-03-11T09:00:00.000Z",
  updatedAt: "2026-03-11T09:00:00.000Z",
}
let api: FakeApi

beforeEach(async () => {
  api = await FakeApi.start()
  for (const path of [person, company]) {
    api.on(`PATCH ${path}`, ({ body }) => {
      const { ownerId, tags = record.tags } = JSON.parse(body)
      return { data: { ...record, owner: ownerId === member.userId ? owner : null, tags } }
    })
    api.on(`GET ${path}/notes`, () => ({
      data: [note],
      meta: { limit: 50, hasMore: false, nextCursor: null },
    }))
    api.on(`POST ${path}/notes`, () => ({ data: note }))
    api.on(`PATCH ${path}/notes/${noteId}`, () => ({ data: { ...note, text: "Done" } }))
    api.on(`DELETE ${path}/notes/${noteId}`, () => ({ data: { deleted: true } }))
  }
  api.on("GET /v1/auth/me", () => ({ data: me }))
  api.on(`GET /v1/organizations/${me.organization.id}/members`, () => ({
    data: [member],
    meta: { total: 1, limit: 100, offset: 0, hasMore: false, nextCursor: null },
  }))
})

afterEach(() => api[Symbol.asyncDispose]())

const run = (...words: ReadonlyArray<string>) =>
  footfall(words, {
    environment: {
      FOOTFALL_BASE_URL: api.baseUrl,
      FOOTFALL_API_KEY: apiKey,
      FOOTFALL_ACCESS_TOKEN: "a.b.c",
    },
  })
const asked = (path: string) => Object.fromEntries(api.seen(`GET ${path}`)[0]!.url.searchParams)
const sent = (route: string) => api.seen(route).map(({ body }) => JSON.parse(body))

describe("assign", () => {
  test("sends the id of the member with this address", async () => {
    const { exitCode, stdout } = await run("visitors", "assign", email, member.email)

    expect(sent(`PATCH ${person}`)).toEqual([{ ownerId: member.userId }])
    expect(JSON.parse(stdout).data.owner).toEqual(owner)
    expect(exitCode).toBe(0)
  })

  test("does not list members for an id, for one's own address and for `none`", async () => {
    await run("companies", "assign", "acme.example", member.userId)
    await run("companies", "assign", "acme.example", me.user.email.toUpperCase())
    await run("companies", "assign", "acme.example", "none")

    expect(sent(`PATCH ${company}`)).toEqual([
      { ownerId: member.userId },
      { ownerId: me.user.id },
      { ownerId: null },
    ])
    expect(api.seen(`GET /v1/organizations/${me.organization.id}/members`)).toEqual([])
  })

  test("with an API key alone, says that an address needs a sign-in", async () => {
    const words = ["companies", "assign", "acme.example", member.email]
    const environment = { FOOTFALL_BASE_URL: api.baseUrl, FOOTFALL_API_KEY: apiKey }

    const { exitCode, stderr } = await footfall(words, { environment })

    expect(JSON.parse(stderr).error.message).toBe(
      "Only someone who is signed in can name a member by email address. Run: footfall login, or use the user id of the member.",
    )
    expect(exitCode).toBe(4)
    expect(api.requests).toEqual([])
  })

  test("names an address that no member has, and changes nothing", async () => {
    const { exitCode, stderr } = await run("visitors", "assign", email, "no.one@acme.example")

    expect(stderr).toContain("No member found for no.one@acme.example.")
    expect(exitCode).toBe(5)
    expect(sent(`PATCH ${person}`)).toEqual([])
  })
})

describe("tag", () => {
  test("adds to the tags, and replaces another spelling", async () => {
    await run("visitors", "tag", email, "New", "q3")

    expect(sent(`PATCH ${person}`)).toEqual([{}, { tags: ["Pilot", "New", "q3"] }])
  })

  test("with --remove, removes tags in any spelling", async () => {
    const { stdout } = await run("companies", "tag", "acme.example", " q3", "other", "--remove")

    expect(sent(`PATCH ${company}`)).toEqual([{}, { tags: ["Pilot"] }])
    expect(JSON.parse(stdout).data.tags).toEqual(["Pilot"])
  })
})

describe("notes", () => {
  test("lists them", async () => {
    const { stdout } = await run("visitors", "notes", email)

    expect(JSON.parse(stdout).data).toEqual([note])
  })

  test("adds one with a text", async () => {
    await run("companies", "notes", "acme.example", "Call back")

    expect(sent(`POST ${company}/notes`)).toEqual([{ text: "Call back" }])
  })

  test("changes and deletes one by its id", async () => {
    const changed = await run("visitors", "notes", email, "Done", "--edit", noteId)
    const asked = await run("visitors", "notes", email, "--delete", noteId)
    const deleted = await run("visitors", "notes", email, "--delete", noteId, "--yes")

    expect(sent(`PATCH ${person}/notes/${noteId}`)).toEqual([{ text: "Done" }])
    expect(JSON.parse(changed.stdout).data.text).toBe("Done")
    expect(asked.exitCode).toBe(2)
    expect(asked.stderr).toContain("--yes")
    expect(JSON.parse(deleted.stdout).data).toMatchObject({ id: noteId, deleted: true })
    expect(api.seen(`DELETE ${person}/notes/${noteId}`)).toHaveLength(1)
  })

  test.each([
    [["--edit", noteId], "--edit needs the new text"],
    [["text", "--delete", noteId, "--yes"], "--delete takes no text"],
    [["text", "--edit", "first"], "Expected the id of a note"],
  ])("refuses %j, and sends nothing", async (words, message) => {
    const { exitCode, stderr } = await run("visitors", "notes", email, ...words)

    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(api.seen(`POST ${person}/notes`)).toEqual([])
  })
})

describe("lists", () => {
  test("are narrowed by owner and tag", async () => {
    const meta = { total: 0, limit: 50, page: 1, hasMore: false, nextCursor: null }
    for (const path of ["/v1/data", "/v1/data/companies"])
      api.on(`GET ${path}`, () => ({ data: [], meta }))

    await run("visitors", "list", "--owner", "none", "--tag", "Q3")
    await run("companies", "list", "--owner", member.userId)
    const wrong = await run("companies", "list", "--owner", "sam@acme.example")

    expect(asked("/v1/data")).toMatchObject({ ownerId: "none", tag: "Q3" })
    expect(asked("/v1/data/companies")).toMatchObject({ ownerId: member.userId })
    expect(wrong.stderr).toContain("footfall members list")
    expect(wrong.exitCode).toBe(2)
  })
})
