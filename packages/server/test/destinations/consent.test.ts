// Deliveries to a mailing list keep the consent of the people on it (spec 2.17.5): a delivery never subscribes a person
// who unsubscribed or has not confirmed, whatever fails on the way.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { DeliveryWorld, people } from "../deliveries/support.ts"
import {
  isWrite,
  type MailerProvider,
  type ProviderFault,
  type ProviderList,
  type ProviderRequest,
  startMailerProvider,
} from "./mailer-provider.ts"

let world: DeliveryWorld
let provider: MailerProvider
beforeAll(async () => {
  world = await DeliveryWorld.start()
  provider = await startMailerProvider()
})
afterEach(() => {
  provider.fault = undefined
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const addressOf = ({ body }: ProviderRequest) =>
  (body as { readonly email_address: string }).email_address

/** The first 40 of `people(60)` are on the list: every second one unsubscribed, the others have not confirmed. */
const listOf40 = (id: string, doubleOptIn: boolean): ProviderList => {
  const list = provider.addList({ id, doubleOptIn })
  for (const [index, { email }] of people(60).slice(0, 40).entries()) {
    list.contacts.set(email!, {
      email: email!,
      status: index % 2 === 0 ? "unsubscribed" : "pending",
      fields: {},
      tags: new Set(),
      writes: 0,
    })
  }
  return list
}

const statuses = (list: ProviderList) => {
  const count: Record<string, number> = {}
  for (const { status } of list.contacts.values()) count[status] = (count[status] ?? 0) + 1
  return count
}

/** The requests to create and to update each of these contacts fail once, in the given way. */
const failingOnce = (fault: ProviderFault, names: RegExp) => {
  const failed = new Set<string>()
  return (request: ProviderRequest) => {
    if (!isWrite(request)) return undefined
    const key = `${request.method} ${addressOf(request)}`
    if (failed.has(key) || !names.test(key)) return undefined
    failed.add(key)
    return fault
  }
}
// Of those on the list and of the new ones.
const every = /@/
const everyTenth = /0@/

describe.each([
  ["a list with double opt-in", true, { unsubscribed: 20, pending: 40 }],
  ["a list without", false, { unsubscribed: 20, pending: 20, subscribed: 20 }],
])("%s", (_, doubleOptIn, expected) => {
  it.each([
    ["when nothing fails", undefined, every],
    ["when every first answer is lost", "lose answer", every],
    ["when every first connection closes", "reset", every],
    ["when the provider fails", { status: 503 }, every],
    ["when the provider limits the rate", { status: 429, retryAfter: "1" }, everyTenth],
  ] as const)(
    "keeps everyone's status, and new contacts get the list's opt-in, %s",
    async (name, fault, names) => {
      const list = listOf40(`${doubleOptIn} ${name}`, doubleOptIn)
      const destination = await world.list(provider, people(60), { listId: list.id })
      provider.fault = fault === undefined ? undefined : failingOnce(fault, names)

      const delivery = await world.delivered(destination)

      expect(delivery).toMatchObject({ status: "completed", sentCount: 60 })
      expect(statuses(list)).toEqual(expected)
      expect([...list.contacts.values()].every(({ tags }) => tags.size === 1)).toBe(true)
    },
  )
})

it("a full resync after people unsubscribed subscribes none of them again", async () => {
  const list = provider.addList({ id: "resync" })
  const destination = await world.list(provider, people(30), { listId: "resync" })
  await world.delivered(destination)
  for (const contact of list.contacts.values()) contact.status = "unsubscribed"

  const again = await world.ended(await world.sync(destination, "full_resync"))

  expect(again).toMatchObject({ status: "completed", sentCount: 30 })
  expect(statuses(list)).toEqual({ unsubscribed: 30 })
})

it("no request has a status", () => {
  const bodies = provider.writes().map(({ body }) => body as object)

  expect(bodies.length).toBeGreaterThan(600)
  expect(bodies.filter((body) => "status" in body)).toEqual([])
})
