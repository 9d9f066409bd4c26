// Deliveries to a mailing list whose provider fails in every way it can: no contact is lost or subscribed twice, and a
// failure that only the owner can fix stops the destination (spec 2.17, 4.3, 8.4).
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { DeliveryWorld, people } from "../deliveries/support.ts"
import {
  isWrite,
  type MailerProvider,
  type ProviderRequest,
  startMailerProvider,
} from "./mailer-provider.ts"
import type { Account } from "./support.ts"

let world: DeliveryWorld
let provider: MailerProvider
beforeAll(async () => {
  world = await DeliveryWorld.start()
  provider = await startMailerProvider()
})
afterEach(() => {
  provider.fault = undefined
  provider.apiKey = "mailer-key-1"
})
afterAll(async () => {
  await provider.close()
  await world.close()
})

const addressOf = ({ body }: ProviderRequest) =>
  (body as { readonly email_address: string }).email_address
const accountStatus = async (accountId: string) => {
  const { accounts } = await world.world.get<{ readonly accounts: ReadonlyArray<Account> }>(
    "GET /v1/intent/integrations/accounts",
  )
  return accounts.find(({ id }) => id === accountId)?.status
}

it("5xx, closed connections, 429 and 422: everyone arrives once except the rejected contact", async () => {
  const list = provider.addList({ id: "faults", doubleOptIn: true })
  const destination = await world.list(provider, people(60), { listId: "faults", tags: ["new"] })
  const tries = new Map<string, number>()
  provider.fault = (request) => {
    if (!isWrite(request)) return undefined
    const address = addressOf(request)
    const before = tries.get(address) ?? 0
    tries.set(address, before + 1)
    if (address.startsWith("p30@")) return { status: 422, title: "Refused" }
    if (before > 0) return undefined
    if (address.startsWith("p7@")) return { status: 503 }
    if (address.startsWith("p20@")) return "reset"
    return address.startsWith("p41@") ? { status: 429, retryAfter: "1" } : undefined
  }

  const delivery = await world.delivered(destination)

  expect(delivery).toMatchObject({ status: "completed", sentCount: 59, failedCount: 1 })
  expect(await world.failures(delivery)).toMatchObject([{ errorCode: "CONTACT_INVALID" }])
  expect(list.contacts.size).toBe(59)
  const managed = `audience:${destination.audienceId.slice(0, 8)}`
  for (const { status, tags, writes } of list.contacts.values()) {
    expect([status, [...tags], writes]).toEqual(["pending", ["new", managed], 1])
  }
})

it("a revoked token: the delivery fails, the account is probed, the destination waits", async () => {
  provider.addList({ id: "revoked" })
  const destination = await world.list(provider, people(20), { listId: "revoked" })
  provider.fault = (request) => {
    if (!isWrite(request)) return undefined
    provider.apiKey = "another"
    return { status: 401 }
  }

  const delivery = await world.delivered(destination)

  expect(delivery).toMatchObject({ status: "failed", errorCode: "ENDPOINT_AUTH" })
  expect((await world.destinationOf(destination)).status).toBe("needs_attention")
  await expect.poll(() => accountStatus(destination.accountId)).toBe("unhealthy")
})

it("a retry of a retry that failed before its contacts were selected covers the first delivery's contacts", async () => {
  provider.addList({ id: "retried" })
  const destination = await world.list(provider, people(5), { listId: "retried" })
  provider.fault = ({ body }) =>
    JSON.stringify(body ?? "").includes("p3@") ? { status: 422 } : undefined
  const first = await world.delivered(destination)
  provider.fault = undefined
  // Two probes are refused: the account is disconnected.
  provider.apiKey = "another"
  const waiting = await world.parked(await world.retry(first))
  await world.wakeUp(waiting)
  const unplanned = await world.ended(waiting)
  provider.apiKey = "mailer-key-1"
  await world.world.get(`POST /v1/intent/integrations/accounts/${destination.accountId}/check`)
  await world.world.changed(destination, { status: "active" })

  const again = await world.ended(await world.retry(unplanned))

  expect(first).toMatchObject({ status: "completed", sentCount: 4, failedCount: 1 })
  expect(unplanned).toMatchObject({ status: "failed", errorCode: "ACCOUNT_DISCONNECTED" })
  expect(again).toMatchObject({ status: "completed", sourceCount: 1, sentCount: 1 })
})

it("a provider's title that Postgres can't store doesn't stop the delivery", async () => {
  provider.addList({ id: "titles" })
  const destination = await world.list(provider, people(3), { listId: "titles" })
  provider.fault = ({ body }) => {
    const text = JSON.stringify(body ?? "")
    if (text.includes("p1@")) return { status: 422, title: "bad\0" }
    return text.includes("p2@") ? { status: 422, title: "\ud83d alone" } : undefined
  }

  const delivery = await world.delivered(destination)

  expect(delivery).toMatchObject({ status: "completed", sentCount: 1, failedCount: 2 })
  const messages = (await world.failures(delivery)).map(({ errorMessage }) => errorMessage)
  expect(messages.toSorted()).toEqual([
    "The provider rejected the contact: bad ",
    "The provider rejected the contact: \ufffd alone",
  ])
})

it("a deleted list: the delivery fails, the destination waits, and continues when the list is back", async () => {
  const list = provider.addList({ id: "gone" })
  const destination = await world.list(provider, people(5), { listId: "gone" })
  provider.lists.delete("gone")

  const failed = await world.delivered(destination)
  expect(failed).toMatchObject({ status: "failed", errorCode: "LIST_NOT_FOUND" })
  expect((await world.destinationOf(destination)).status).toBe("needs_attention")

  provider.lists.set("gone", list)
  await world.world.changed(destination, { status: "active" })
  expect(await world.delivered(destination)).toMatchObject({ status: "completed", sentCount: 5 })
})
