// People who are suppressed or erased during a delivery are not sent from then on (spec 2.16; spec 1.5, 2.6), not even
// at a second attempt, and however their domain is spelled.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { contactEvent, DeliveryWorld, hashOf, nameOf, person, status } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

afterEach(() => {
  w.receiver.answer = status(204)
})

const inForce = async (rules: ReadonlyArray<{ type: string; value: string }>) => {
  await w.world.server.sdk.suppression.replace({ rules } as never)
  await expect
    .poll(
      async () =>
        (
          await w.sql(
            `select from suppression_rule join suppression_list using (organization_id)
             where takes_part_at < cycle_at and removed_at is null`,
          )
        ).length,
      { timeout: 30_000 },
    )
    .toBe(rules.length)
}

/** Responds 500 to the first attempt at a contact, once `meanwhile` is done. Accepts every other request. */
const failingOnce = (name: string, meanwhile: () => Promise<unknown>) => {
  let isFirst = true
  w.receiver.answer = ({ event }, response) => {
    const isIt = event["event"] === contactEvent && nameOf(event as never) === name
    if (!isIt || !isFirst) return void response.writeHead(204).end()
    isFirst = false
    void meanwhile().then(() => response.writeHead(500).end())
  }
}

describe("a contact that waits for its second attempt", () => {
  it("is not sent if a matching rule came into force in the meantime", async () => {
    const destination = await w.destination([person("waits"), person("other")], {
      timeoutMs: 30_000,
    })
    failingOnce("waits", () => inForce([{ type: "email", value: "waits@harbor.example" }]))

    const delivery = await w.delivered(destination)

    expect(w.contacts(destination.path).map(nameOf).toSorted()).toEqual(["other", "waits"])
    expect(delivery).toMatchObject({ status: "completed", sentCount: 1, skippedCount: 1 })
  })

  it("is not sent if the person was erased in the meantime", async () => {
    const destination = await w.destination([person("goes"), person("other")])
    failingOnce("goes", () =>
      w.sql("delete from run_result where run_id = $1 and hashed_email = $2", [
        destination.runId,
        Buffer.from(hashOf("goes@harbor.example"), "hex"),
      ]),
    )

    const delivery = await w.delivered(destination)

    expect(w.contacts(destination.path).map(nameOf).toSorted()).toEqual(["goes", "other"])
    expect(delivery).toMatchObject({ status: "completed", sentCount: 1, skippedCount: 1 })
  })

  it("is sent if neither happened", async () => {
    const destination = await w.destination([person("stays"), person("other")])
    failingOnce("stays", () => Promise.resolve())

    const delivery = await w.delivered(destination)

    expect(delivery).toMatchObject({ status: "completed", sentCount: 2, skippedCount: 0 })
  })
})

describe("a rule about a non-ASCII domain", () => {
  it("matches every contact in the domain, whichever way either is written", async () => {
    const destination = await w.destination([
      person("kept"),
      person("one", { email: "one@bücher.example" }),
      person("two", { email: "two@xn--bcher-kva.example" }),
      person("three", { email: "three@www.bücher.example" }),
      person("four", { email: null, businessEmail: "four@größe.example" }),
    ])
    await inForce([
      { type: "domain", value: "bücher.example" },
      { type: "email", value: "four@xn--gre-6ka8i.example" },
    ])

    const delivery = await w.delivered(destination)

    expect(w.contacts(destination.path).map(nameOf)).toEqual(["kept"])
    expect(delivery).toMatchObject({ sentCount: 1, skippedCount: 4 })
  })
})
