// A destination goes back to draft, or is deleted, while a batch is sent: the delivery is canceled however the attempt
// ends, and a later version of the destination gets none of it (spec 4.3, 4.4).
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, status } from "../webhooks/receiver.ts"
import { DeliveryWorld, nameOf, people } from "./support.ts"

let w: DeliveryWorld
beforeAll(async () => {
  w = await DeliveryWorld.start()
})
afterAll(() => w.close())

type Fields = Parameters<DeliveryWorld["sync"]>[0]

/** From the 150th request on, the old address responds only after the change, and as given. */
const during = async (
  destination: Fields & { readonly path: string },
  change: () => Promise<unknown>,
  then: Answer,
) => {
  let isReached = () => {}
  const reached = new Promise<void>((resolve) => (isReached = resolve))
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => (goOn = resolve))
  let contacts = 0
  w.receiver.answer = (one, response) => {
    if (one.path !== destination.path || ++contacts < 150) return status(204)(one, response)
    isReached()
    void gate.then(() => then(one, response))
  }
  const delivery = await w.sync(destination)
  await reached
  await change()
  goOn()
  return delivery
}

const stored = async (id: string) => {
  const [row] = await w.sql(
    `select status, error_code, completed_at is not null as is_over, next_attempt_at
     from delivery where id = $1`,
    [id],
  )
  return row
}
const cancelled = {
  status: "cancelled",
  error_code: null,
  is_over: true,
  next_attempt_at: null,
}
const isCancelled = async (id: string) => {
  await expect.poll(() => stored(id), { timeout: 30_000 }).toEqual(cancelled)
}

/** Changes the URL and approves the new one. */
const moved = (destination: Fields, path: string) => async () => {
  await w.world.changed(destination as never, { url: `${w.receiver.url}${path}` })
  await w.world.changed(destination as never, { status: "active" })
}

describe("a delivery whose destination's URL changed", () => {
  it.each([
    ["204", status(204)],
    ["404", status(404)],
    ["503 with a Retry-After", status(503, { "retry-after": "3600" })],
  ] satisfies ReadonlyArray<readonly [string, Answer]>)(
    "is cancelled when the old one responds with %s, and the new one gets nothing",
    async (name, answer) => {
      const destination = await w.destination(people(250))
      const path = `/new-${name.replaceAll(" ", "-")}`

      const delivery = await during(destination, moved(destination, path), answer)

      await isCancelled(delivery.id)
      expect(w.received(path)).toEqual([])
      expect((await w.destinationOf(destination)).status).toBe("active")
      w.receiver.answer = status(204)
      expect(await w.delivered(destination)).toMatchObject({ status: "completed", sentCount: 250 })
    },
  )

  it("is cancelled when the old one responds with 410, and the new one needs no attention", async () => {
    const destination = await w.destination(people(250))

    const delivery = await during(destination, moved(destination, "/new-410"), status(410))

    await isCancelled(delivery.id)
    expect((await w.destinationOf(destination)).status).toBe("active")
  })

  it("is cancelled when its worker is lost", async () => {
    const destination = await w.destination(people(250))
    const change = async () => {
      await moved(destination, "/new-lost")()
      await w.sql(
        `update delivery set leased_until = clock_timestamp() - interval '1 second'
         where destination_id = $1`,
        [destination.id],
      )
      await expect
        .poll(
          async () =>
            (
              await w.sql("select status from delivery where destination_id = $1", [destination.id])
            )[0],
        )
        .toEqual({ status: "cancelled" })
    }

    const delivery = await during(destination, change, status(204))

    await isCancelled(delivery.id)
    expect(w.received("/new-lost")).toEqual([])
  })
})

it("a change that needs no approval holds from the next batch on", async () => {
  const found = people(250).map((one) => ({ ...one, emailStatus: "invalid" }))
  const destination = await w.destination(found)
  const change = () => w.world.changed(destination, { validationPolicy: "valid_or_catchall" })

  const delivery = await during(destination, change, status(204))

  expect(await w.ended(delivery)).toMatchObject({
    status: "completed",
    sentCount: 200,
    skippedCount: 50,
  })
  expect(w.contacts(destination.path).map(nameOf)).not.toContain("p201")
})

it("a delivery whose destination was deleted is cancelled when the address responds with 404", async () => {
  const destination = await w.destination(people(250))
  const change = () => w.world.ask(`DELETE ${w.world.pathOf(destination as never)}`)

  const delivery = await during(destination, change, status(404))

  await isCancelled(delivery.id)
})

it("a delivery whose audience was deleted is cancelled when the address responds with 404", async () => {
  const destination = await w.destination(people(250))
  const change = () => w.world.ask(`DELETE /v1/intent/audiences/${destination.audienceId}`)

  const delivery = await during(destination, change, status(404))

  await isCancelled(delivery.id)
})
