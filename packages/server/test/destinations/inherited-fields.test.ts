// Fields of a mailing list with the names of built-in JavaScript properties.
import { afterAll, beforeAll, expect, it } from "vitest"
import { DeliveryWorld, person } from "../deliveries/support.ts"
import { type MailerProvider, startMailerProvider } from "./mailer-provider.ts"

const names = [
  ...new Set([
    ...Object.getOwnPropertyNames(Object.prototype),
    ...Object.getOwnPropertyNames(Function.prototype),
    "then",
    "toJSON",
  ]),
].toSorted()

let world: DeliveryWorld
let provider: MailerProvider
beforeAll(async () => {
  world = await DeliveryWorld.start()
  provider = await startMailerProvider()
})
afterAll(async () => {
  await world.close()
  await provider.close()
})

it("are mapped and sent like any other", async () => {
  const list = provider.addList({ id: "buyers" })
  const members = names.map((name) => `${JSON.stringify(name)}:"firstName"`)
  const fieldMapping = JSON.parse(`{${members}}`) as object

  const destination = await world.list(provider, [person("jane")], {
    listId: "buyers",
    fieldMapping,
  })
  const first = await world.delivered(destination)
  await world.run(destination.audienceId, [person("jane")])
  const again = await world.delivered(destination)

  const kept = destination.automation!.config["fieldMapping"] as object
  expect(Object.keys(kept).toSorted()).toEqual(names)
  expect(first).toMatchObject({ status: "completed", sentCount: 1 })
  const sent = list.contacts.get("jane@harbor.example")!.fields
  expect(Object.entries(sent).toSorted()).toEqual(names.map((name) => [name, "jane"]))
  // The server recognizes what was sent by its hash, which the database computes too.
  expect(again).toMatchObject({ status: "completed", sentCount: 0 })
  expect(({} as Record<string, unknown>)["firstName"]).toBeUndefined()
})
