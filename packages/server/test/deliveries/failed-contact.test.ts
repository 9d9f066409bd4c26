// One failed contact: its attempts, its payload, and a delivery of it alone (spec 5.10.15, 5.10.16).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Delivery, FailedContact } from "../../src/activation/deliveries/delivery.ts"
import { DeliveryWorld, hashOf, nameOf, people, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

/** A delivery to three people. The receiver rejects the second with the body `responseBody`. */
const refused = async (responseBody = "no thanks") => {
  const destination = await w.destination(people(3))
  w.receiver.answer = ({ body }, response) => {
    if (body.includes("p2@harbor")) response.writeHead(422).end(responseBody)
    else response.writeHead(204).end()
  }
  const delivery = await w.delivered(destination)
  w.receiver.answer = status(204)
  const path = `${w.pathOf(delivery)}/failures/${hashOf("p2@harbor.example")}`
  return { destination, delivery, path }
}

const read = async (path: string) =>
  (await w.world.get<{ readonly failure: FailedContact }>(`GET ${path}`)).failure

describe("a failed contact", () => {
  it("shows each attempt, the receiver's response, and the body that was sent", async () => {
    const { delivery, destination, path } = await refused()

    const failure = await read(path)

    expect(failure).toMatchObject({
      hashedEmail: hashOf("p2@harbor.example"),
      errorCode: "ENDPOINT_REJECTED",
      statusCode: 422,
      attempts: 1,
      tries: [
        {
          at: failure.lastAttemptAt,
          errorCode: "ENDPOINT_REJECTED",
          errorMessage: "Expected a 2xx response, received 422.",
          statusCode: 422,
          responseSnippet: "no thanks",
        },
      ],
    })
    const sent = w.contacts(destination.path).find((one) => nameOf(one) === "p2")!
    expect(failure.messageId).toBe(sent.id)
    const { timestamp: _, ...body } = sent
    expect(failure.payload).toMatchObject(body)
    expect(JSON.stringify(failure)).not.toContain(destination.secret)
    expect(delivery.failedCount).toBe(1)
  })

  it("keeps a hostile response as text, and cuts a long one at 1,024 bytes", async () => {
    const { path } = await refused(`\u0000<script>${"é".repeat(2_000)}`)

    const { responseSnippet } = (await read(path)).tries[0]!

    expect(responseSnippet).toMatch(/^ <script>é+$/)
    expect(Buffer.byteLength(responseSnippet!)).toBeLessThanOrEqual(1_024)
  })

  it("has no payload once a rule suppresses the contact", async () => {
    const { path } = await refused()
    await w.world.server.sdk.suppression.replace({
      rules: [{ type: "email", value: "p2@harbor.example" }],
    })

    await expect
      .poll(() => read(path), { timeout: 30_000 })
      .toMatchObject({ statusCode: 422, payload: null })

    await w.sql("delete from suppression_rule where organization_id = $1", [w.organizationId])
  })

  it("is not found if it was sent", async () => {
    const { delivery } = await refused()
    const path = `${w.pathOf(delivery)}/failures/${hashOf("p1@harbor.example")}`

    expect((await w.world.ask(`GET ${path}`)).status).toBe(404)
    expect((await w.world.ask(`POST ${path}/retry`)).status).toBe(404)
  })
})

describe("a retry of one contact", () => {
  it("sends only that contact, and counts one", async () => {
    const { delivery, destination, path } = await refused()
    const before = w.contacts(destination.path).length

    const { delivery: queued } = await w.world.get<{ readonly delivery: Delivery }>(
      `POST ${path}/retry`,
    )
    const retry = await w.ended(queued)

    expect(retry).toMatchObject({
      status: "completed",
      retryOfDeliveryId: delivery.id,
      sourceRunId: delivery.sourceRunId,
      sourceCount: 1,
      sentCount: 1,
    })
    const after = w.contacts(destination.path).slice(before)
    expect(after.map(nameOf)).toEqual(["p2"])
  })

  it("is a conflict for a delivery that did not complete, and sends nothing", async () => {
    const destination = await w.destination(people(1))
    // The receiver accepts the started event but not the contact.
    w.receiver.answer = ({ body }, response) =>
      void response.writeHead(body.includes("p1@harbor") ? 422 : 204).end()
    const delivery = await w.delivered(destination)
    w.receiver.answer = status(204)
    expect(delivery).toMatchObject({ status: "failed", errorCode: "ALL_CONTACTS_FAILED" })
    const path = `${w.pathOf(delivery)}/failures/${hashOf("p1@harbor.example")}`

    const answer = await w.world.ask(`POST ${path}/retry`)

    expect(answer.status).toBe(409)
    expect(answer.body.error).toMatchObject({ code: "CONFLICT", details: { status: "failed" } })
    expect(w.contacts(destination.path)).toHaveLength(1)
  })

  it("is a conflict when its result is no longer stored, and creates no delivery", async () => {
    const { delivery, destination, path } = await refused()
    await w.sql("delete from run_result where run_id = $1 and hashed_email = $2", [
      destination.runId,
      Buffer.from(hashOf("p2@harbor.example"), "hex"),
    ])

    const answer = await w.world.ask(`POST ${path}/retry`)

    expect(answer.status).toBe(409)
    expect((await read(path)).payload).toBeNull()
    const [kept] = await w.sql("select count(*)::int as n from delivery where audience_id = $1", [
      delivery.audienceId,
    ])
    expect(kept).toMatchObject({ n: 1 })
  })
})
