// Every change of a destination or an account adds one entry to the audit log, with ids and no values. A rejected
// request, or one that changes nothing, adds none.
import { afterAll, beforeAll, expect, it } from "vitest"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"
import { startReceiver, World } from "./support.ts"

let world: World
let provider: MailerProvider
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  world = await World.start()
  provider = await startMailerProvider()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await provider.close()
  await world.close()
})

/** The entries since the last call. */
const entries = async () =>
  (await world.server.sql("delete from audit_entry returning actor_id, action, target_id")).map(
    ({ action, actor_id, target_id }) => [action, target_id, actor_id],
  )

it("destinations add an entry per change", async () => {
  await entries()
  const { secret: _, ...destination } = await world.webhook({ url: receiver.url })
  const by = [destination.id, world.member.userId]
  expect(await entries()).toEqual([["destination.created", ...by]])

  await world.changed(destination, { status: "active" })
  expect(await entries()).toEqual([["destination.updated", ...by]])

  await world.changed(destination, { status: "active" })
  await world.patch(destination, { url: "ftp://tidewater.example/" })
  await world.get(`POST ${world.pathOf(destination)}/test`)
  expect(await entries()).toEqual([])

  await world.get(`POST ${world.pathOf(destination)}/rotate-secret`)
  expect(await entries()).toEqual([["destination.secret_rotated", ...by]])

  await world.get(`DELETE ${world.pathOf(destination)}`)
  expect(await entries()).toEqual([["destination.deleted", ...by]])
})

it("connected accounts add an entry per change", async () => {
  await entries()
  const account = await world.account(provider)
  const path = `/v1/intent/integrations/accounts/${account.id}`
  const by = [account.id, world.member.userId]
  expect(await entries()).toEqual([["connected_account.created", ...by]])

  await world.get(`POST ${path}/check`)
  expect(await entries()).toEqual([])
  provider.fault = () => ({ status: 500 })
  await world.get(`POST ${path}/check`)
  expect(await entries()).toEqual([["connected_account.updated", ...by]])

  await world.get(`DELETE ${path}`)
  expect(await entries()).toEqual([["connected_account.deleted", ...by]])
})
