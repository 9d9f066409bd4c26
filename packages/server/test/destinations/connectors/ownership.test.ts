// Whom a destination may take off a list (spec 2.16.10): who is on it by another destination too stays until that one lets
// them go, and what is known about a list says nothing about another one.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest"
import { DeliveryWorld, person } from "../../deliveries/support.ts"
import type { Account } from "../support.ts"
import { activeDestination, connectTo } from "./delivering.ts"
import type { Double } from "./double.ts"
import { startListmonk } from "./doubles/listmonk.ts"

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start()
})
afterAll(() => world.close())

let double: Double
let account: Account
beforeEach(async () => {
  double = await startListmonk()
  account = await connectTo(world, "listmonk", double)
})
afterEach(async () => {
  expect(double.violations).toEqual([])
  await double.close()
})

const found = (...names: ReadonlyArray<string>) => names.map((name) => person(name))
const removing = { onLeave: "remove_from_list" } as const
const destination = (...names: ReadonlyArray<string>) =>
  activeDestination(world, "listmonk", double, account, found(...names), removing)

/** Asks the service as its owner would. */
const ask = async <Data>(path: string, body?: object): Promise<Data> => {
  const answer = await fetch(`${double.url}/api${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `token ${double.credentials["username"]}:${double.credentials["apiKey"]}`,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return ((await answer.json()) as { readonly data: Data }).data
}
const on = async (listId: string) => {
  const { results } = await ask<{ readonly results: ReadonlyArray<{ readonly email: string }> }>(
    `/subscribers?list_id=${listId}&per_page=100&page=1`,
  )
  return results.map(({ email }) => email.split("@")[0]!).toSorted()
}

it("someone who leaves one audience stays on a list that another destination put them on too, and leaves with that one", async () => {
  const first = await destination("both", "one")
  const second = await destination("both", "two")
  await world.delivered(first)
  await world.delivered(second)
  await world.run(first.audienceId, found("one"))

  const left = await world.delivered(first)
  const afterFirst = await on(double.listId)
  await world.run(second.audienceId, found("two"))
  const leftBoth = await world.delivered(second)

  expect(left).toMatchObject({ status: "completed", removedCount: 0 })
  expect(afterFirst).toEqual(["both", "one", "two"])
  expect(leftBoth).toMatchObject({ status: "completed", removedCount: 1 })
  expect(await on(double.listId)).toEqual(["one", "two"])
})

it("someone whom the other destination's draft once had leaves at once", async () => {
  const first = await destination("both", "one")
  const second = await destination("both", "two")
  await world.delivered(first)
  await world.delivered(second)
  // A changed configuration makes it a draft.
  await world.world.changed(second, {
    config: { listId: double.listId, ...removing, fieldMapping: {} },
  })
  await world.run(first.audienceId, found("one"))

  const left = await world.delivered(first)

  expect(left).toMatchObject({ status: "completed", removedCount: 1 })
  expect(await on(double.listId)).toEqual(["one", "two"])
})

it("with another list everyone is written to it, and who leaves is taken off that one only", async () => {
  const { id } = await ask<{ readonly id: number }>("/lists", {
    name: "Others",
    type: "private",
    optin: "single",
  })
  const other = String(id)
  const made = await destination("stays", "leaves", "gone")
  await world.delivered(made)
  await world.run(made.audienceId, found("stays", "leaves"))
  await world.world.changed(made, { config: { listId: other, ...removing } })
  await world.world.changed(made, { status: "active" })

  const moved = await world.delivered(made)
  const onFormer = await on(double.listId)
  const onOther = await on(other)
  await world.run(made.audienceId, found("stays"))
  const left = await world.delivered(made)

  expect(moved).toMatchObject({ status: "completed", sentCount: 2, removedCount: 0 })
  expect(onFormer).toEqual(["gone", "leaves", "stays"])
  expect(onOther).toEqual(["leaves", "stays"])
  expect(left).toMatchObject({ status: "completed", removedCount: 1 })
  expect(await on(other)).toEqual(["stays"])
  expect(await on(double.listId)).toEqual(["gone", "leaves", "stays"])
})
