// Owners and tags of people and companies (spec 2.24, 5.20). What another organization sees of them: test/isolation.
import {
  BadRequestError,
  ConflictError,
  Footfall,
  NotFoundError,
  type Company,
  type Visitor,
} from "@footfall/sdk"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { emailHashOf } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { hashOf } from "../visitors/query/put-people.ts"
import { refused } from "./refused.ts"
import { makeScene } from "./scene.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

let scene: Awaited<ReturnType<typeof makeScene>>
let footfall: Footfall
beforeEach(async () => {
  scene = await makeScene(server)
  footfall = scene.footfall
})

const tagsOf = ({ tags }: Company | Visitor) => tags

describe("tags", () => {
  it("replace one another, in their normal form, in alphabetical order without case", async () => {
    const [person] = await scene.seen(1)
    const id = hashOf(person!)

    const given = ["renewal  at\u00a0risk ", " Pilot", "PILOT", "Zoe\u0308", "zo\u00eb", "élan"]
    expect(tagsOf(await footfall.visitors.update(id, { tags: given }))).toEqual([
      "Pilot",
      "renewal at risk",
      "Zoë",
      "élan",
    ])
    expect(tagsOf(await footfall.visitors.update(id, { tags: ["pilot"] }))).toEqual(["pilot"])
    expect(tagsOf(await footfall.visitors.update(id, {}))).toEqual(["pilot"])
    expect(tagsOf(await footfall.visitors.update(id, { tags: [] }))).toEqual([])
  })

  it.each([
    ["an empty one", [" "], "/body/tags/0"],
    ["one of 51 characters", ["a", "x".repeat(51)], "/body/tags/1"],
    ["one with a comma", ["a,b"], "/body/tags/0"],
    ["one of two lines", ["a\nb"], "/body/tags/0"],
    ["one with an invisible character", ["a\u200bb"], "/body/tags/0"],
    ["21 of them", Array.from({ length: 21 }, (_, at) => `tag ${at}`), "/body/tags"],
  ])("%s is refused, and nothing changes", async (_, tags, path) => {
    const [person] = await scene.seen(1)
    const id = hashOf(person!)
    await footfall.visitors.update(id, { tags: ["kept"] })

    const error = await refused(footfall.visitors.update(id, { tags }), BadRequestError)

    expect(error.details).toMatchObject({ issues: [{ path }] })
    expect(tagsOf(await footfall.visitors.update(id, {}))).toEqual(["kept"])
  })

  it("20 tags of 50 characters, of any script, are accepted", async () => {
    const { domain } = await scene.company()
    const tags = Array.from({ length: 20 }, (_, at) => `${"😀".repeat(48)}${String(at + 10)}`)

    expect(tagsOf(await footfall.companies.update(domain, { tags }))).toEqual(tags)
  })

  it("500 different ones are in use, and another is refused with everything beside it", async () => {
    const people = await scene.seen(26)
    await Promise.all(
      people.slice(0, 25).map((person, row) =>
        footfall.visitors.update(hashOf(person), {
          tags: Array.from({ length: 20 }, (_, at) => `tag ${row * 20 + at}`),
        }),
      ),
    )
    const last = hashOf(people[25]!)
    const { userId } = await scene.member()

    const error = await refused(
      footfall.visitors.update(last, { ownerId: userId, tags: ["TAG 1", "tag 500"] }),
      ConflictError,
    )

    expect(error.details).toEqual({ limit: 500 })
    expect(await footfall.visitors.update(last, {})).toMatchObject({ owner: null, tags: [] })
    expect(tagsOf(await footfall.visitors.update(last, { tags: ["TAG 1"] }))).toEqual(["TAG 1"])
    expect(await footfall.tags.list({ subject: "people" })).toHaveLength(500)
    // Those of companies are counted by themselves.
    expect(
      tagsOf(
        await footfall.companies.update((await scene.company()).domain, { tags: ["tag 500"] }),
      ),
    ).toEqual(["tag 500"])
    // A tag that no one has any more makes room.
    await footfall.visitors.update(hashOf(people[0]!), { tags: [] })
    expect(tagsOf(await footfall.visitors.update(last, { tags: ["tag 500"] }))).toEqual(["tag 500"])
  })

  it("are listed with how many have them, the most used first, without those held back", async () => {
    const [one, two, three] = await scene.seen(3)
    for (const person of [one, two, three]) {
      await footfall.visitors.update(hashOf(person!), { tags: ["Q3"] })
    }
    await footfall.visitors.update(hashOf(one!), { tags: ["b", "q3", "A"] })
    await server.sql("update visitor set held_back = true where id = $1", [three!.id])

    expect(await footfall.tags.list({ subject: "people" })).toEqual([
      { tag: expect.stringMatching(/^q3$/i), count: 2 },
      { tag: "A", count: 1 },
      { tag: "b", count: 1 },
    ])
    expect(await footfall.tags.list({ subject: "companies" })).toEqual([])
  })
})

describe("the owner", () => {
  it("is a member, whose name and address every record of the person shows", async () => {
    const [person] = await scene.seen(1)
    const id = hashOf(person!)
    const { email, userId } = await scene.member()
    await server.sql("update user_account set name = 'Sam' where id = $1", [userId])
    const owner = { id: userId, name: "Sam", email }

    expect((await footfall.visitors.update(id, { ownerId: userId.toUpperCase() })).owner).toEqual(
      owner,
    )
    expect((await footfall.visitors.list({ timeframe: "all" })).data[0]?.owner).toEqual(owner)
    expect((await footfall.visitors.get({ email: id })).owner).toEqual(owner)
    expect((await footfall.visitors.update(id, { ownerId: null })).owner).toBeNull()
  })

  it("is no one once the member has left", async () => {
    const { domain } = await scene.company()
    const { userId } = await scene.member()
    const owner = await server.makeUser("owner", scene.organization.organizationId)
    await footfall.companies.update(domain, { ownerId: userId })

    await new Footfall({ baseUrl: server.url, accessToken: owner.accessToken }).members.remove({
      organizationId: scene.organization.organizationId,
      userId,
    })

    expect((await footfall.companies.update(domain, {})).owner).toBeNull()
  })

  it.each([
    ["someone of another organization", async () => (await server.makeUser("member")).userId],
    [
      "an invited user who has not accepted",
      async () => {
        const { userId } = await scene.member()
        await server.sql("update member set accepted_at = null where user_id = $1", [userId])
        return userId
      },
    ],
    ["an id that no one has", async () => randomUUID()],
  ])("is not %s", async (_, userIdOf) => {
    const { domain } = await scene.company()

    const error = await refused(
      footfall.companies.update(domain, { ownerId: await userIdOf(), tags: ["x"] }),
      BadRequestError,
    )

    expect(error.details).toMatchObject({
      issues: [{ path: "/body/ownerId", code: "unknown_member" }],
    })
    expect(await footfall.companies.update(domain, {})).toMatchObject({ owner: null, tags: [] })
  })
})

describe("who has none", () => {
  it("an unknown person, someone held back and an unknown company are not found", async () => {
    const [hidden] = await scene.seen(1, { heldBack: true })

    await refused(footfall.visitors.update(emailHashOf("a@b.example"), {}), NotFoundError)
    await refused(footfall.visitors.update(hashOf(hidden!), { tags: ["x"] }), NotFoundError)
    await refused(footfall.companies.update("nowhere.example", { tags: ["x"] }), NotFoundError)
    expect(await footfall.tags.list({ subject: "people" })).toEqual([])
  })

  it("someone suppressed has them like anyone else", async () => {
    const [person] = await scene.seen(1, { suppressed: true })

    expect(await footfall.visitors.update(hashOf(person!), { tags: ["x"] })).toMatchObject({
      suppressed: true,
      tags: ["x"],
    })
  })
})

it("a change is in the audit log once, with ids and no tags, and no change is not", async () => {
  const [person] = await scene.seen(1)
  const { domain } = await scene.company()
  const id = hashOf(person!)
  await footfall.visitors.update(id, { tags: ["secret"] })
  await footfall.visitors.update(id, { tags: ["secret"], ownerId: null })
  await footfall.companies.update(domain, { tags: ["secret"] })

  expect(
    await server.sql(
      `select action, target_id as target, to_jsonb(entry)::text like '%secret%' as told
       from audit_entry as entry where organization_id = $1 order by id`,
      [scene.organization.organizationId],
    ),
  ).toEqual([
    { action: "visitor.updated", target: person!.id, told: false },
    { action: "company.updated", target: null, told: false },
  ])
})

it("a viewer reads tags, and changes nothing", async () => {
  const [person] = await scene.seen(1)
  const { accessToken } = await scene.member()
  const viewer = new Footfall({ baseUrl: server.url, accessToken })

  expect(await viewer.tags.list({ subject: "people" })).toEqual([])
  await expect(viewer.visitors.update(hashOf(person!), { tags: ["x"] })).rejects.toMatchObject({
    status: 403,
    details: { required: "member" },
  })
  expect((await footfall.visitors.update(hashOf(person!), {})).tags).toEqual([])
})
