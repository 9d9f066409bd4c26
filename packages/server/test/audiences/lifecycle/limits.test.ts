// How many audiences an organization can save and activate, even with concurrent requests (spec 4.1, 10).
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics } from "../support.ts"
import { type Keeper, keeper, path, type Saved } from "./support.ts"

let server: TestServer
let beside: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
  beside = await startServer({ workers: false, beside: server })
  await putTopics(server, [1])
})
afterAll(async () => {
  await beside.close()
  await server.close()
})

const body = { name: "One more", config: { topicIds: [1] } }
const times = <Result>(count: number, make: (place: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, place) => make(place)))
/** Counts the responses by status. */
const tally = (answers: ReadonlyArray<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

it("50 are saved, the 51st is 409 AUDIENCE_LIMIT_REACHED; deleting one makes room", async () => {
  const ours = await keeper(server)
  const saved = await times(50, () => ours.save())

  const refused = await ours.ask(`POST ${path}`, body)
  expect(refused.status).toBe(409)
  expect(refused.body.error).toEqual({
    code: "AUDIENCE_LIMIT_REACHED",
    message: expect.any(String),
    details: { limit: 50 },
  })

  await ours.ask(`DELETE ${path}/${saved[0]!.id}`)
  await ours.save()
  expect((await ours.ask(`POST ${path}`, body)).status).toBe(409)
  // Another organization has its own 50.
  await (await keeper(server)).save()
})

it("of 200 concurrent requests to two servers, at 45 of 50 audiences, exactly 5 succeed (I8)", async () => {
  const ours = await keeper(server)
  const there = await keeper(beside, ours)
  await times(45, () => ours.save())

  // 503 says that nothing was done because no connection was free, as on a busy machine, so the request is sent again.
  const create = async (place: number): ReturnType<Keeper["ask"]> => {
    const answer = await (place % 2 === 0 ? ours : there).ask(`POST ${path}`, body)
    return answer.status === 503 ? create(place) : answer
  }
  const answers = await times(200, create)

  expect(tally(answers)).toEqual({ 201: 5, 409: 195 })
  expect(answers.filter(({ body }) => body.error?.code === "AUDIENCE_LIMIT_REACHED")).toHaveLength(
    195,
  )
  expect((await ours.ask(`GET ${path}`)).body.meta).toMatchObject({ total: 50 })
})

it("a full organization without a free slot gets the error about slots first", async () => {
  const ours = await keeper(server)
  await times(50, () => ours.save())
  await ours.set("intent_slots = 0")

  const answer = await ours.ask(`POST ${path}`, { ...body, status: "active" })

  expect(answer.body.error).toMatchObject({ code: "SLOTS_FULL", details: { used: 0, limit: 0 } })
})

it("of 40 concurrent activations, exactly as many succeed as slots are free, and one by one-shot access", async () => {
  const ours = await keeper(server)
  const there = await keeper(beside, ours)
  await ours.set("intent_slots = 3, one_shot_eligible = true")
  const saved = await times(20, () => ours.save())

  const answers = await times(40, (place) => {
    const { id } = saved[place % 20]!
    return (place < 20 ? ours : there).patch(id, { status: "active" })
  })

  const listed: ReadonlyArray<Saved> = (await ours.ask(`GET ${path}?status=active`)).body.data
  expect(listed.map(({ accessType }) => accessType).toSorted()).toEqual([
    "one_shot",
    "paid",
    "paid",
    "paid",
  ])
  // Repeating the request is not a second activation.
  expect(new Set(Object.keys(tally(answers)))).toEqual(new Set(["200", "403"]))
  expect(await ours.intent()).toMatchObject({
    slots: { used: 3, limit: 3, remaining: 0 },
    oneShotEligible: false,
  })
})

it("slots taken and freed by concurrent requests are counted correctly in the end", async () => {
  const ours = await keeper(server)
  await ours.set("intent_slots = 4")
  const saved = await times(8, () => ours.save())

  await times(8, async (place) => {
    const { id } = saved[place]!
    for (const status of ["active", "paused", "active", "paused"]) await ours.patch(id, { status })
  })

  const rows = await server.sql(
    "select from audience where organization_id = $1 and status = 'active'",
    [ours.organizationId],
  )
  expect(await ours.intent()).toMatchObject({ slots: { used: rows.length } })
  expect(rows.length).toBeLessThanOrEqual(4)
})
