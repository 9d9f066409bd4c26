// Which contacts a delivery covers, and the change of each (spec 2.16, 8.3).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, hashOf, nameOf, people, person, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

/** The contacts after the first `since` events, as `name change`. */
const changes = (path: string, since = 0) =>
  w
    .contacts(path)
    .slice(since)
    .map((body) => `${nameOf(body)} ${body.data.change}`)
    .toSorted()

describe("an incremental delivery", () => {
  it("sends new and changed people, and counts removed ones", async () => {
    const [a, b, c] = people(3)
    const destination = await w.destination([a!, b!, c!])
    await w.delivered(destination)
    await w.run(destination.audienceId, [a!, { ...b!, jobTitle: "Chief" }, person("d")])

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({
      mode: "incremental",
      baselineRunId: destination.runId,
      sourceCount: 2,
      sentCount: 2,
    })
    expect(changes(destination.path, 3)).toEqual(["d added", "p2 updated"])
    const last = w.received(destination.path).at(-1)!.event as { readonly data: object }
    expect(last.data).toMatchObject({ removedSinceBaseline: 1, status: "completed" })
  })

  it("sends no contact of an unchanged run, but still sends the started and completed events", async () => {
    const destination = await w.destination(people(3))
    await w.delivered(destination)
    await w.run(destination.audienceId, people(3))

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", sourceCount: 0, batchIndex: 0 })
    expect(w.received(destination.path).length).toBe(3 + 4)
  })

  it("sends people who came back, and people the baseline's delivery did not send", async () => {
    const [a, b, c] = people(3)
    const destination = await w.destination([a!, b!, c!])
    w.receiver.answer = (one, response) => {
      const { data } = one.event as { data: { delivery: { sequence?: number } } }
      status(data.delivery.sequence === 3 ? 422 : 204)(one, response)
    }
    await w.delivered(destination)
    w.receiver.answer = status(204)
    await w.run(destination.audienceId, [a!, c!])
    await w.delivered(destination)
    expect(changes(destination.path, 3)).toEqual(["p3 added"])
    await w.run(destination.audienceId, [a!, b!, c!])

    await w.delivered(destination)

    expect(changes(destination.path, 4)).toEqual(["p2 added"])
  })

  it("sends a failed contact again, as an update if it had arrived before", async () => {
    const destination = await w.destination(people(2))
    await w.delivered(destination)
    await w.run(destination.audienceId, [person("p1"), person("p2", { jobTitle: "Chief" })])
    w.receiver.answer = (one, response) =>
      status(one.event["event"] === "intent.audience.contact.upserted" ? 422 : 204)(one, response)
    const failed = await w.delivered(destination)
    w.receiver.answer = status(204)

    expect(failed).toMatchObject({ status: "failed", errorCode: "ALL_CONTACTS_FAILED" })
    await w.delivered(destination)

    expect(changes(destination.path, 3)).toEqual(["p2 updated"])
  })

  it("compares with what was last sent once the baseline's results were removed after a year", async () => {
    const [a, b, c] = people(3)
    const destination = await w.destination([a!, b!, c!])
    await w.delivered(destination)
    await w.run(destination.audienceId, [a!, { ...b!, jobTitle: "Chief" }, person("d")])
    await w.sql("update audience_run set results_removed_at = clock_timestamp() where id = $1", [
      destination.runId,
    ])
    await w.sql("delete from run_result where run_id = $1", [destination.runId])

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ baselineRunId: destination.runId, sourceCount: 2 })
    expect(changes(destination.path, 3)).toEqual(["d added", "p2 updated"])
    // The names of removed people are no longer known.
    const last = w.received(destination.path).at(-1)!.event as { readonly data: object }
    expect(last.data).toMatchObject({ removedSinceBaseline: 0, status: "completed" })
  })
})

describe("a full resync", () => {
  it("sends everyone, each with the change since it was last sent", async () => {
    const destination = await w.destination(people(2))
    await w.delivered(destination)
    await w.run(destination.audienceId, [
      person("p1"),
      person("p2", { jobTitle: "Chief" }),
      person("p3"),
    ])

    const delivery = await w.delivered(destination, "full_resync")

    expect(delivery).toMatchObject({ mode: "full_resync", baselineRunId: null, sentCount: 3 })
    expect(changes(destination.path, 2)).toEqual(["p1 unchanged", "p2 updated", "p3 added"])
  })
})

describe("a contact is skipped", () => {
  it("if a rule in force suppresses it: by address, domain, company or industry (I6)", async () => {
    const destination = await w.destination([
      person("kept"),
      person("byaddress"),
      person("bydomain", { email: "bydomain@away.example" }),
      person("bycompany", { companyDomain: "blocked.example" }),
      person("byindustry", { companyIndustry: "Farming" }),
    ])
    const rules = [
      { type: "email", value: "byaddress@harbor.example" },
      { type: "domain", value: "away.example" },
      { type: "company_domain", value: "blocked.example" },
      { type: "industry", value: "farming" },
    ]
    await w.world.server.sdk.suppression.add(rules as never)
    await expect
      .poll(
        async () =>
          (
            await w.sql(
              `select from suppression_rule join suppression_list using (organization_id)
               where takes_part_at < cycle_at`,
            )
          ).length,
        { timeout: 30_000 },
      )
      .toBe(4)

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ sourceCount: 5, sentCount: 1, skippedCount: 4 })
    expect(w.contacts(destination.path).map(nameOf)).toEqual(["kept"])
    await w.world.server.sdk.suppression.replace({ rules: [], confirmClearAll: true } as never)
  })

  it("and is sent later as added", async () => {
    const rows = [person("fine"), person("odd", { emailStatus: "invalid" })]
    const destination = await w.destination(rows, { validationPolicy: "valid_or_catchall" })
    const first = await w.delivered(destination)
    await w.world.changed(destination, { validationPolicy: "none" })
    await w.run(destination.audienceId, rows)

    await w.delivered(destination)

    expect(first).toMatchObject({ sentCount: 1, skippedCount: 1 })
    expect(changes(destination.path, 1)).toEqual(["odd added"])
  })

  it("unless it is valid or catch_all, with valid_or_catchall", async () => {
    const destination = await w.destination(
      ["valid", "catch_all", "unknown", "invalid", null].map((emailStatus, place) =>
        person(`s${place}`, { emailStatus } as never),
      ),
      { validationPolicy: "valid_or_catchall" },
    )

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ sentCount: 2, skippedCount: 3 })
  })

  it("always, if no contact event is subscribed", async () => {
    const destination = await w.destination(people(3), {
      eventTypes: ["intent.audience.sync.completed"],
    })

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", skippedCount: 3, sentCount: 0 })
    expect(w.received(destination.path).map(({ event }) => event["event"])).toEqual([
      "intent.audience.sync.completed",
    ])
  })

  it("if it was erased after the contacts were selected", async () => {
    const destination = await w.destination(people(3))
    w.receiver.answer = status(404)
    const delivery = await w.sync(destination)
    await w.parked(delivery)
    w.receiver.answer = status(204)
    await w.sql("delete from run_result where run_id = $1 and hashed_email = $2", [
      destination.runId,
      Buffer.from(hashOf("p2@harbor.example"), "hex"),
    ])
    await w.wakeUp(delivery)

    expect(await w.ended(delivery)).toMatchObject({
      sourceCount: 3,
      sentCount: 2,
      skippedCount: 1,
      processedCount: 3,
    })
  })
})

describe("a retry", () => {
  it("covers contacts that failed or were not reached, with the old delivery's mode, source and baseline", async () => {
    const destination = await w.destination(people(250))
    w.receiver.answer = (one, response) => {
      const { data } = one.event as { data: { delivery: { sequence?: number } } }
      const { sequence = 0 } = data.delivery
      status(sequence === 3 ? 422 : sequence === 150 ? 410 : 204)(one, response)
    }
    const failed = await w.delivered(destination)
    w.receiver.answer = status(204)
    expect(failed).toMatchObject({ status: "failed", errorCode: "ENDPOINT_GONE", failedCount: 1 })
    const before = new Set(w.contacts(destination.path).map(nameOf))
    await w.world.changed(destination, { status: "active" })

    const retry = await w.ended(await w.retry(failed))

    expect(retry).toMatchObject({
      status: "completed",
      mode: "initial",
      retryOfDeliveryId: failed.id,
      sourceRunId: failed.sourceRunId,
      sourceCount: 250 - failed.sentCount,
      sentCount: 250 - failed.sentCount,
    })
    const all = w.contacts(destination.path).map(nameOf)
    expect(new Set(all).size).toBe(250)
    expect(before.size).toBeLessThan(250)
    const after = await w.destinationOf(destination)
    expect(after).toMatchObject({
      lastSuccessfulRunId: failed.sourceRunId,
      stats: { totalSynced: 250, totalFailed: 1, consecutiveErrors: 0 },
    })
  })

  it("of a retry that ended before it had chosen its contacts covers those of the first delivery", async () => {
    const destination = await w.destination(people(3))
    w.receiver.answer = ({ body }, response) =>
      void response.writeHead(body.includes("p2@harbor.example") ? 422 : 204).end()
    const failed = await w.delivered(destination)
    w.receiver.answer = status(204)
    const [between] = await w.sql(
      `insert into delivery (organization_id, id, audience_id, destination_id,
         destination_config_revision, source_run_id, mode, status, retry_of_delivery_id,
         error_code, error_message, completed_at)
       select organization_id, gen_random_uuid(), audience_id, destination_id,
         destination_config_revision, source_run_id, mode, 'failed', id,
         'INTERNAL_ERROR', 'Stopped.', clock_timestamp()
       from delivery where id = $1
       returning id`,
      [failed.id],
    )
    const before = w.contacts(destination.path).length

    const retry = await w.ended(await w.retry({ ...failed, id: String(between!["id"]) }))

    expect(retry).toMatchObject({ status: "completed", sourceCount: 1, sentCount: 1 })
    expect(w.contacts(destination.path).slice(before).map(nameOf)).toEqual(["p2"])
  })

  it("is a conflict once the results of its run are no longer stored", async () => {
    const destination = await w.destination(people(1))
    w.receiver.answer = ({ body }, response) =>
      void response.writeHead(body.includes("contact.upserted") ? 422 : 204).end()
    const delivery = await w.delivered(destination)
    w.receiver.answer = status(204)
    await w.sql("update audience_run set results_removed_at = clock_timestamp() where id = $1", [
      destination.runId,
    ])

    const answer = await w.world.ask(`POST ${w.pathOf(delivery)}/retry`)

    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: "CONFLICT", details: { status: "failed" } })
  })

  it("is a conflict for a delivery without failures", async () => {
    const destination = await w.destination(people(1))
    const delivery = await w.delivered(destination)

    const answer = await w.world.ask(`POST ${w.pathOf(delivery)}/retry`)

    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: "CONFLICT", details: { status: "completed" } })
  })
})
