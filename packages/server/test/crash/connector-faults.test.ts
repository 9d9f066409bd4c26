// What fails on the way to a service (spec 2.17.11): answers that are lost, connections that close, and errors. Each contact has
// its own wait before it is sent again, so the deliveries of this file run side by side.
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, people } from "../deliveries/support.ts"
import {
  activeDestination,
  connectTo,
  failing,
  inAudience,
  onLeaveOf,
  statusesOf,
} from "../destinations/connectors/delivering.ts"
import { doubles } from "../destinations/connectors/world.ts"

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start()
})
afterAll(() => world.close())

const faults = [
  ["when every first answer is lost", "lose answer"],
  ["when every first connection closes", "reset"],
  ["when the service fails", { status: 503 }],
] as const

describe.concurrent.each(doubles)("%s", (appSlug, start) => {
  it.each(faults)(
    "keeps the status of everyone who refused, %s",
    async (_when, fault) => {
      const double = await start()
      const found = people(20, "r")
      for (const [index, { email }] of found.slice(0, 10).entries()) {
        const { refusing } = double
        if (refusing.length > 0) double.put(email!, refusing[index % refusing.length]!)
      }
      const before = statusesOf(double, "r")
      const account = await connectTo(world, appSlug, double)
      const made = await activeDestination(world, appSlug, double, account, found)
      double.fault = failing(fault)

      const first = await world.ended(await world.sync(made), 60_000)
      double.fault = undefined
      const again = await world.ended(await world.sync(made, "full_resync"), 60_000)

      expect([first.status, again.status]).toEqual(["completed", "completed"])
      expect([first.failedCount, again.failedCount]).toEqual([0, 0])
      const after = new Map(statusesOf(double, "r"))
      for (const [email, status] of before) {
        expect([email, after.get(email)]).toEqual([email, status])
      }
      // Everyone else is at the service, once.
      expect(statusesOf(double, "r")).toHaveLength(20)
      expect(new Set(after.values())).toEqual(
        new Set([...before.map(([, status]) => status), double.newStatus]),
      )
      expect(double.violations).toEqual([])
      await double.close()
    },
    120_000,
  )

  it.each(faults)(
    "ends with the audience and with exact counters, %s",
    async (_when, fault) => {
      const double = await start()
      const found = people(20, "x")
      const account = await connectTo(world, appSlug, double)
      const made = await activeDestination(world, appSlug, double, account, found, {
        onLeave: onLeaveOf(double),
      })
      double.fault = failing(fault)
      const first = await world.ended(await world.sync(made), 60_000)
      await world.run(made.audienceId, found.slice(0, 12))
      double.fault = failing(fault)
      const second = await world.ended(await world.sync(made), 60_000)
      double.fault = undefined
      const third = await world.ended(await world.sync(made), 60_000)

      expect([first.sentCount, first.failedCount]).toEqual([20, 0])
      // What failed for good is settled by the next delivery.
      expect(second.removedCount + third.removedCount).toBe(8)
      expect(inAudience(double, made, "x")).toHaveLength(12)
      expect(double.violations).toEqual([])
      await double.close()
    },
    150_000,
  )
})
