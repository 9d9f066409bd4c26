// The example in spec 12.11 on a server: a webhook destination is created and activated, and both responses match the
// document, except for this server's ids, times and secret.
import type * as dns from "node:dns/promises"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { names, namesBefore } from "./names.ts"
import { type Destination, World } from "./support.ts"

vi.mock("node:dns/promises", async (original) => {
  const system = await original<typeof dns>()
  return { ...system, lookup: namesBefore(system.lookup) }
})

let world: World
beforeAll(async () => {
  names.set("hooks.tidewater.example", ["93.184.215.14"])
  world = await World.start({ isPrivateAllowed: false })
})
afterAll(() => world.close())

const destinationJson = `{
  "destinationType": "webhook", "name": "CRM intake", "url": "https://hooks.tidewater.example/footfall",
  "eventTypes": ["intent.audience.sync.started", "intent.audience.contact.upserted", "intent.audience.sync.completed"]
}`

const draft = {
  name: "CRM intake",
  destinationType: "webhook",
  status: "draft",
  validationPolicy: "none",
  configRevision: 1,
  approvedConfigHash: null,
  lastSuccessfulRunId: null,
  initialSyncCompletedAt: null,
  stats: {
    totalSynced: 0,
    totalSkipped: 0,
    totalFailed: 0,
    totalRemoved: 0,
    consecutiveErrors: 0,
    lastDeliveredAt: null,
    lastErrorCode: null,
    lastErrorMessage: null,
    lastErrorAt: null,
  },
  retrying: null,
  webhook: {
    url: "https://hooks.tidewater.example/footfall",
    signingVersion: "v1",
    eventTypes: [
      "intent.audience.sync.started",
      "intent.audience.contact.upserted",
      "intent.audience.sync.completed",
    ],
    timeoutMs: 10000,
    headers: [],
    body: "standard",
    template: null,
  },
  automation: null,
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

it("a destination is created as a draft that shows its secret, and activation approves its hash", async () => {
  const audienceId = await world.audience()
  const path = `/v1/intent/audiences/${audienceId}/destinations`

  const created = await world.ask(`POST ${path}`, JSON.parse(destinationJson))

  expect(created.status).toBe(201)
  const destination = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: world.server.organizationId,
    audienceId,
    ...draft,
    createdAt: time,
    updatedAt: time,
  }
  expect(created.body.data).toEqual({
    destination,
    webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  })

  const { id } = (created.body.data as { destination: Destination }).destination
  const activated = await world.ask(`PATCH ${path}/${id}`, { status: "active" })

  expect(activated.status).toBe(200)
  expect(activated.body.data).toEqual({
    destination: {
      ...destination,
      status: "active",
      approvedConfigHash: "7cb47032da401b3c62741e230ca29c8f7486bc9a70bcebc506635418f415723c",
    },
  })
})
