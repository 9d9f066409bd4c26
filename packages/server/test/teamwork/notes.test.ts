// Notes about people and companies (spec 2.24, 5.20), and what an erasure does to them, to owners and to tags.
import {
  BadRequestError,
  ConflictError,
  Footfall,
  NotFoundError,
  PermissionError,
  type Note,
} from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { startServer, type TestOrganization, type TestServer } from "../support/server.ts"
import { hashOf } from "../visitors/query/put-people.ts"
import { settle, someone } from "../visitors/query/scene.ts"
import { refused } from "./refused.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

const hourAgo = Date.now() - 3_600_000

let organization: TestOrganization
let footfall: Footfall
let person: string
beforeEach(async () => {
  organization = await server.makeOrganization()
  footfall = new Footfall({ baseUrl: server.url, apiKey: organization.apiKey })
  const seen = someone([hourAgo])
  await settle(server, organization, [seen])
  person = hashOf(seen)
})

const signedIn = async (role: "admin" | "member" | "viewer") => {
  const { accessToken, userId } = await server.makeUser(role, organization.organizationId)
  return { userId, client: new Footfall({ baseUrl: server.url, accessToken }) }
}

const textsOf = (notes: { readonly data: ReadonlyArray<Note> }) =>
  notes.data.map(({ text }) => text)

describe("a note", () => {
  it("has the key as author, and is shown newest first, page by page", async () => {
    const first = await footfall.visitors.notes.create(person, "  Asked for\r\nprices \t of 40  ")
    const second = await footfall.visitors.notes.create(person, "Call back")

    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      text: "Asked for\nprices \t of 40",
      author: { kind: "key", id: organization.apiKeyId, name: "Test" },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: first.createdAt,
    })
    expect((await footfall.visitors.notes.list(person)).data).toEqual([second, first])
    const pages = []
    for await (const { id } of footfall.visitors.notes.list(person, { limit: 1 })) pages.push(id)
    expect(pages).toEqual([second.id, first.id])
  })

  it("has the member as author, by name, by address without one, and no name once they left", async () => {
    const { client, userId } = await signedIn("member")
    await server.sql("update user_account set name = null where id = $1", [userId])
    const { author } = await client.visitors.notes.create(person, "x")
    const [{ email }] = (await server.sql("select email from user_account where id = $1", [
      userId,
    ])) as [{ email: string }]
    expect(author).toEqual({ kind: "member", id: userId, name: email })

    await server.sql("update user_account set name = 'Sam' where id = $1", [userId])
    const listed = async () => (await footfall.visitors.notes.list(person)).data[0]?.author.name
    expect(await listed()).toBe("Sam")
    await server.sql("delete from member where user_id = $1", [userId])
    expect(await listed()).toBeNull()
  })

  it("is changed and deleted, and then not found", async () => {
    const { id } = await footfall.visitors.notes.create(person, "x")

    const changed = await footfall.visitors.notes.update(person, id, "y")
    expect(changed.text).toBe("y")
    expect(changed.updatedAt > changed.createdAt).toBe(true)
    expect(await footfall.visitors.notes.update(person, id, "y")).toEqual(changed)
    expect(await footfall.visitors.notes.delete(person, id)).toEqual({ deleted: true })
    await refused(footfall.visitors.notes.delete(person, id), NotFoundError)
    await refused(footfall.visitors.notes.update(person, id, "z"), NotFoundError)
    expect((await footfall.visitors.notes.list(person)).data).toEqual([])
  })

  it.each([
    ["nothing but spaces", " \n "],
    ["5,001 characters", "x".repeat(5_001)],
    ["a control character", "a\u0007b"],
  ])("with %s is refused", async (_, text) => {
    const error = await refused(footfall.visitors.notes.create(person, text), BadRequestError)

    expect(error.details).toMatchObject({ issues: [{ path: "/body/text" }] })
  })

  it("of 5,000 characters in any script is stored as it is", async () => {
    const text = `${"😀".repeat(4_998)}\né`

    expect((await footfall.visitors.notes.create(person, text)).text).toBe(text)
  })

  it("is stored once if the request is repeated", async () => {
    const options = { idempotencyKey: randomUUID() }
    const first = await footfall.visitors.notes.create(person, "x", options)

    expect(await footfall.visitors.notes.create(person, "x", options)).toEqual(first)
    expect((await footfall.visitors.notes.list(person)).data).toHaveLength(1)
  })

  it("beyond 200 is refused", async () => {
    await server.sql(
      `insert into visitor_note (organization_id, id, visitor_id, text, author_kind, author_id)
       select v.organization_id, gen_random_uuid(), v.id, 'x', 'key', $2
       from visitor v cross join generate_series(1, 200) where v.organization_id = $1`,
      [organization.organizationId, organization.apiKeyId],
    )

    const error = await refused(footfall.visitors.notes.create(person, "y"), ConflictError)
    expect(error.details).toEqual({ limit: 200 })
    const [last] = (await footfall.visitors.notes.list(person, { limit: 1 })).data
    await footfall.visitors.notes.delete(person, last!.id)
    expect((await footfall.visitors.notes.create(person, "y")).text).toBe("y")
  })

  it("of someone else is not found by its id", async () => {
    const other = someone([hourAgo])
    await settle(server, organization, [other])
    const { id } = await footfall.visitors.notes.create(hashOf(other), "x")

    await refused(footfall.visitors.notes.update(person, id, "y"), NotFoundError)
    await refused(footfall.visitors.notes.delete(person, id), NotFoundError)
    expect(textsOf(await footfall.visitors.notes.list(hashOf(other)))).toEqual(["x"])
  })

  it("is in the audit log with its id and without its text", async () => {
    const { id } = await footfall.visitors.notes.create(person, "secret words")
    await footfall.visitors.notes.update(person, id, "other secret words")
    await footfall.visitors.notes.update(person, id, "other secret words")
    await footfall.visitors.notes.delete(person, id)

    const entries = await server.sql(
      `select action, target_id as target, to_jsonb(entry)::text like '%secret%' as told
       from audit_entry as entry where organization_id = $1 order by id`,
      [organization.organizationId],
    )
    expect(entries).toEqual(
      ["note.created", "note.updated", "note.deleted"].map((action) => ({
        action,
        target: id,
        told: false,
      })),
    )
  })
})

describe("roles", () => {
  it("a member changes and deletes their own notes, and not those of others", async () => {
    const [mine, theirs] = [await signedIn("member"), await signedIn("member")]
    const own = await mine.client.visitors.notes.create(person, "mine")
    const foreign = await theirs.client.visitors.notes.create(person, "theirs")
    const ofKey = await footfall.visitors.notes.create(person, "of a key")

    for (const { id } of [foreign, ofKey]) {
      const error = await refused(
        mine.client.visitors.notes.update(person, id, "x"),
        PermissionError,
      )
      expect(error.details).toEqual({ required: "admin" })
      await refused(mine.client.visitors.notes.delete(person, id), PermissionError)
    }
    expect((await mine.client.visitors.notes.update(person, own.id, "still mine")).text).toBe(
      "still mine",
    )
    await mine.client.visitors.notes.delete(person, own.id)
    expect(textsOf(await footfall.visitors.notes.list(person))).toEqual(["of a key", "theirs"])
  })

  it("an admin and an API key change and delete every note, whose author stays", async () => {
    const { client, userId } = await signedIn("member")
    const admin = await signedIn("admin")
    const [one, two] = [
      await client.visitors.notes.create(person, "one"),
      await client.visitors.notes.create(person, "two"),
    ]

    expect((await admin.client.visitors.notes.update(person, one.id, "1")).author.id).toBe(userId)
    expect((await footfall.visitors.notes.update(person, two.id, "2")).author.id).toBe(userId)
    await admin.client.visitors.notes.delete(person, two.id)
    await footfall.visitors.notes.delete(person, one.id)
    expect(textsOf(await footfall.visitors.notes.list(person))).toEqual([])
  })

  it("a viewer reads notes, and writes none", async () => {
    const { client } = await signedIn("viewer")
    const { id } = await footfall.visitors.notes.create(person, "x")

    expect(textsOf(await client.visitors.notes.list(person))).toEqual(["x"])
    await refused(client.visitors.notes.create(person, "y"), PermissionError)
    await refused(client.visitors.notes.update(person, id, "y"), PermissionError)
    await refused(client.visitors.notes.delete(person, id), PermissionError)
  })
})

describe("companies", () => {
  it("have notes of their own, by any name below their domain", async () => {
    await server.sql("update company set domain = 'quay.example' where organization_id = $1", [
      organization.organizationId,
    ])
    const { notes } = footfall.companies
    const note = await notes.create("https://www.quay.example/", "x")

    expect((await notes.list("quay.example")).data).toEqual([note])
    expect((await notes.update("quay.example", note.id, "y")).text).toBe("y")
    await refused(footfall.visitors.notes.delete(person, note.id), NotFoundError)
    expect(await notes.delete("quay.example", note.id)).toEqual({ deleted: true })
    await refused(notes.list("nowhere.example"), NotFoundError)
    await refused(notes.create("not a domain", "x"), NotFoundError)
  })
})

describe("one person", () => {
  it("who is erased loses all of it, and no one is found", async () => {
    const { userId } = await signedIn("member")
    await footfall.visitors.update(person, { ownerId: userId, tags: ["x"] })
    await footfall.visitors.notes.create(person, "x")

    await footfall.visitors.erase(person)

    for (const table of ["visitor_tag", "visitor_owner", "visitor_note"]) {
      expect(
        await server.sql(`select from ${table} where organization_id = $1`, [
          organization.organizationId,
        ]),
      ).toEqual([])
    }
    await refused(footfall.visitors.notes.list(person), NotFoundError)
    await refused(footfall.visitors.update(person, {}), NotFoundError)
    expect(await footfall.tags.list({ subject: "people" })).toEqual([])
  })

  it("who is held back has no notes to show", async () => {
    await footfall.visitors.notes.create(person, "x")
    await server.sql("update visitor set held_back = true where organization_id = $1", [
      organization.organizationId,
    ])

    await refused(footfall.visitors.notes.list(person), NotFoundError)
    await refused(footfall.visitors.notes.create(person, "y"), NotFoundError)
  })
})
