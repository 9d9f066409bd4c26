// Every row of the audience state table (spec 4.1), and what belongs to each: slots, access to one run, the daily
// refresh, pausedAt.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../support/server.ts"
import { putTopics } from "../support.ts"
import { type Keeper, keeper, path, type Saved } from "./support.ts"

let server: TestServer
let ours: Keeper
beforeAll(async () => {
  server = await startServer({ workers: false })
  await putTopics(server, [1, 2, 3])
})
afterAll(() => server.close())

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const slotsFull = (used: number, limit: number) => ({
  code: "SLOTS_FULL",
  message: expect.any(String),
  details: { used, limit },
})
const draft = { status: "draft", accessType: "paid", dailyRefreshEnabled: false, pausedAt: null }
const active = { status: "active", accessType: "paid", dailyRefreshEnabled: true, pausedAt: null }
const paused = { status: "paused", dailyRefreshEnabled: false, pausedAt: timestamp }
const oneShot = { ...active, accessType: "one_shot", dailyRefreshEnabled: false }
const read = async ({ id }: Saved): Promise<Saved> =>
  (await ours.ask(`GET ${path}/${id}`)).body.data

describe("creation", () => {
  it("with status omitted: draft", async () => {
    ours = await keeper(server)
    expect(await ours.save()).toMatchObject(draft)
  })

  it("with `draft`: draft, which takes no slot", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 0")

    expect(await ours.save({ status: "draft" })).toMatchObject(draft)
  })

  it("with `active` and a free slot: active and paid, with a daily refresh and no run", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 1, one_shot_eligible = true")

    const saved = await ours.save({ status: "active" })

    expect(saved).toMatchObject({ ...active, audienceSize: 0, lastRefreshedAt: null })
    expect(await ours.intent()).toMatchObject({
      slots: { used: 1, limit: 1, remaining: 0 },
      oneShotEligible: true,
    })
    expect(await server.sql("select from audience_run")).toHaveLength(0)
  })

  it("with `active` and no limit of slots: active and paid", async () => {
    ours = await keeper(server)
    expect(await ours.save({ status: "active" })).toMatchObject(active)
  })

  it("with `active`, no slot, but one-shot access: active and one_shot, without a refresh", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 0, one_shot_eligible = true")

    expect(await ours.save({ status: "active" })).toMatchObject(oneShot)
    expect(await ours.intent()).toMatchObject({
      slots: { used: 0, limit: 0, remaining: 0 },
      oneShotEligible: false,
    })
  })

  it("with `active` and neither: 403 SLOTS_FULL with what is used, and nothing is saved", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 2")
    await ours.save({ status: "active" })
    await ours.save({ status: "active" })

    const answer = await ours.ask(`POST ${path}`, {
      name: "Third",
      status: "active",
      config: { topicIds: [1] },
    })

    expect(answer.status).toBe(403)
    expect(answer.body.error).toEqual(slotsFull(2, 2))
    expect((await ours.ask(`GET ${path}`)).body.meta).toMatchObject({ total: 2 })
  })

  it("with `paused`: 400 VALIDATION_ERROR, and nothing is saved", async () => {
    ours = await keeper(server)

    const answer = await ours.ask(`POST ${path}`, {
      name: "x",
      status: "paused",
      config: { topicIds: [1] },
    })

    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: {
        issues: [{ path: "/body/status", code: "enum", allowed: ["draft", "active"] }],
      },
    })
    expect((await ours.ask(`GET ${path}`)).body.meta).toMatchObject({ total: 0 })
  })
})

describe("PATCH active", () => {
  it("a draft becomes active, and takes a slot", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 3")
    const { id } = await ours.save()

    const answer = await ours.patch(id, { status: "active" })

    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, ...active })
    expect(await ours.intent()).toMatchObject({ slots: { used: 1, limit: 3, remaining: 2 } })
  })

  it("a paused audience becomes active, and pausedAt is null again", async () => {
    ours = await keeper(server)
    const { id } = await ours.save({ status: "active" })
    await ours.patch(id, { status: "paused" })

    expect((await ours.patch(id, { status: "active" })).body.data).toMatchObject({ id, ...active })
  })

  it.each(["draft", "paused"])(
    "a %s audience without a slot: 403, and nothing changes",
    async (status) => {
      ours = await keeper(server)
      const saved = await ours.save({ status: status === "draft" ? "draft" : "active" })
      if (status === "paused") await ours.patch(saved.id, { status })
      const before = await read(saved)
      await ours.set("intent_slots = 1")
      await ours.save({ status: "active" })

      const answer = await ours.patch(saved.id, { name: "Other", status: "active" })

      expect(answer.status).toBe(403)
      expect(answer.body.error).toEqual(slotsFull(1, 1))
      expect(await read(saved)).toEqual(before)
    },
  )

  it("without a slot, but with one-shot access: active and one_shot; the access is used up", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 0, one_shot_eligible = true")
    const { id } = await ours.save()

    expect((await ours.patch(id, { status: "active" })).body.data).toMatchObject(oneShot)
    expect(await ours.intent()).toMatchObject({ slots: { used: 0 }, oneShotEligible: false })
  })

  it("a second time after one-shot access needs a slot, and is then paid", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 0, one_shot_eligible = true")
    const { id } = await ours.save({ status: "active" })
    expect((await ours.patch(id, { status: "paused" })).body.data).toMatchObject(paused)

    const refused = await ours.patch(id, { status: "active" })
    await ours.set("intent_slots = 1")
    const activated = await ours.patch(id, { status: "active" })

    expect(refused.body.error).toEqual(slotsFull(0, 0))
    expect(activated.body.data).toMatchObject(active)
  })

  it("on an active one-shot audience changes nothing, and uses no more access", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 0, one_shot_eligible = true")
    const saved = await ours.save({ status: "active" })
    await ours.set("one_shot_eligible = true")

    expect((await ours.patch(saved.id, { status: "active" })).body.data).toEqual(saved)
    expect(await ours.intent()).toMatchObject({ oneShotEligible: true })
  })

  it("where more slots are used than the limit now allows: 403", async () => {
    ours = await keeper(server)
    const { id } = await ours.save()
    await ours.save({ status: "active" })
    await ours.save({ status: "active" })
    await ours.set("intent_slots = 1")

    expect((await ours.patch(id, { status: "active" })).body.error).toEqual(slotsFull(2, 1))
    expect(await ours.intent()).toMatchObject({ slots: { used: 2, limit: 1, remaining: 0 } })
  })
})

describe("PATCH paused", () => {
  it("an active audience becomes paused, without a daily refresh, and its slot is free", async () => {
    ours = await keeper(server)
    await ours.set("intent_slots = 1")
    const { id } = await ours.save({ status: "active" })

    const answer = await ours.patch(id, { status: "paused" })

    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, accessType: "paid", ...paused })
    expect(await ours.intent()).toMatchObject({ slots: { used: 0, limit: 1, remaining: 1 } })
    await ours.save({ status: "active" })
  })

  it("on a draft: 409 INVALID_TRANSITION, and nothing changes", async () => {
    ours = await keeper(server)
    const saved = await ours.save()

    const answer = await ours.patch(saved.id, { name: "Other", status: "paused" })

    expect(answer.status).toBe(409)
    expect(answer.body.error).toEqual({
      code: "INVALID_TRANSITION",
      message: expect.any(String),
      details: { status: "draft", requested: "paused" },
    })
    expect(await read(saved)).toEqual(saved)
  })
})

it.each(["active", "paused"])(
  "PATCH draft on a %s audience: 409, and nothing changes",
  async (status) => {
    ours = await keeper(server)
    const saved = await ours.save({ status: "active" })
    if (status === "paused") await ours.patch(saved.id, { status })
    const before = await read(saved)

    const answer = await ours.patch(saved.id, { status: "draft" })

    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({
      code: "INVALID_TRANSITION",
      details: { status, requested: "draft" },
    })
    expect(await read(saved)).toEqual(before)
  },
)

it.each(["draft", "active", "paused"])(
  "PATCH with the current status %s: 200, and nothing changes, even without a slot",
  async (status) => {
    ours = await keeper(server)
    const saved = await ours.save({ status: status === "draft" ? "draft" : "active" })
    if (status === "paused") await ours.patch(saved.id, { status })
    await ours.set("intent_slots = 0")
    const before = await read(saved)

    const answer = await ours.patch(saved.id, { status })

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual(before)
  },
)

it.each(["draft", "active", "paused"])(
  "PATCH config on a %s audience: the same status, and audienceSize stays until the next run",
  async (status) => {
    ours = await keeper(server)
    const saved = await ours.save({ status: status === "draft" ? "draft" : "active" })
    if (status === "paused") await ours.patch(saved.id, { status })
    await server.sql(
      "update audience set audience_size = 7, last_refreshed_at = '2026-03-11' where id = $1",
      [saved.id],
    )
    const before = await read(saved)

    const answer = await ours.patch(saved.id, { config: { topicIds: [2], minScore: 80 } })

    expect(answer.body.data).toEqual({
      ...before,
      config: {
        ...before.config,
        topicIds: [2],
        minScore: 80,
        topics: [expect.objectContaining({ topicId: 2, topicName: "Topic 2" })],
      },
      updatedAt: timestamp,
    })
    expect(answer.body.data).toMatchObject({ status, audienceSize: 7 })
  },
)

it.each(["draft", "active", "paused"])(
  "DELETE on a %s audience: not found afterwards, its slot free",
  async (status) => {
    ours = await keeper(server)
    await ours.set("intent_slots = 1")
    const { id } = await ours.save({ status: status === "draft" ? "draft" : "active" })
    if (status === "paused") await ours.patch(id, { status })

    const answer = await ours.ask(`DELETE ${path}/${id}`)

    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({ deleted: true })
    expect((await ours.ask(`GET ${path}/${id}`)).status).toBe(404)
    expect((await ours.ask(`GET ${path}`)).body.data).toEqual([])
    expect(await ours.intent()).toMatchObject({ slots: { used: 0 } })
  },
)

it("deleting a one-shot audience does not give its access back", async () => {
  ours = await keeper(server)
  await ours.set("intent_slots = 0, one_shot_eligible = true")
  const { id } = await ours.save({ status: "active" })

  await ours.ask(`DELETE ${path}/${id}`)

  expect(await ours.intent()).toMatchObject({ oneShotEligible: false })
})

it("without access to intent, audience, preview and run routes are FORBIDDEN, and existing data stays", async () => {
  ours = await keeper(server)
  const { id } = await ours.save({ status: "active" })
  await ours.set("intent_enabled = false")
  // A key's owner is cached for a few seconds.
  await expect
    .poll(async () => (await ours.ask(`GET ${path}`)).status, { timeout: 30_000 })
    .toBe(403)

  const asked = [
    `GET ${path}/filters`,
    `POST ${path}/validate`,
    `POST ${path}/preview`,
    `POST ${path}`,
    `GET ${path}/${id}`,
    `PATCH ${path}/${id}`,
    `DELETE ${path}/${id}`,
    `POST ${path}/${id}/runs`,
    `GET ${path}/${id}/runs`,
    `GET ${path}/${id}/runs/${id}`,
    `DELETE ${path}/${id}/runs/${id}`,
    `GET ${path}/${id}/runs/${id}/results`,
    `GET ${path}/${id}/runs/${id}/stats`,
    `GET ${path}/${id}/runs/${id}/export.csv`,
    `GET ${path}/${id}/runs/${id}/export.parquet`,
    `POST ${path}/${id}/runs/${id}/exports`,
  ]
  for (const operation of asked) {
    const { body, status } = await ours.ask(operation)
    expect([operation, status, body.error?.code]).toEqual([operation, 403, "FORBIDDEN"])
    expect(body.error?.details).toEqual({ reason: "intent_disabled" })
  }
  await ours.set("intent_enabled = true")
  await expect
    .poll(async () => (await ours.ask(`GET ${path}/${id}`)).status, { timeout: 30_000 })
    .toBe(200)
})
