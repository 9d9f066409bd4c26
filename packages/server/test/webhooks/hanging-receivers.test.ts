// Receivers that hang never take the places of other people's webhooks, however many organizations their owner has and
// however many such people there are (spec 10.4).
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import {
  type InHand,
  type Room,
  SendingStore,
} from "../../src/activation/webhooks/sending/store.ts"
import { onServices } from "../runs/support.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { startReceiver } from "./receiver.ts"
import { Customer, startSite } from "./site.ts"

const creator = async (server: TestServer): Promise<string> => {
  const { userId } = await server.makeUser("owner")
  return userId
}

/** A new organization of this creator, with webhooks and events due for each. */
const queueFor = async (
  server: TestServer,
  {
    createdBy = null,
    events,
    url = "https://receiver.example",
    webhooks = 1,
  }: {
    readonly createdBy?: string | null
    readonly events: number
    readonly url?: string
    readonly webhooks?: number
  },
) => {
  const customer = await Customer.of(server)
  await server.sql("update organization set created_by = $2 where id = $1", [
    customer.id,
    createdBy,
  ])
  const ids: Array<string> = []
  for (let count = 0; count < webhooks; count++) {
    const { webhook } = await customer.webhook(url, { timeoutMs: 30_000 })
    ids.push(webhook.id)
  }
  await server.sql(
    `with person as (
       insert into visitor (organization_id, id, email, email_hash, first_seen_at, last_seen_at)
       select $1, gen_random_uuid(), 'a@b.example', md5(random()::text), now(), now()
       from generate_series(1, $3::int)
       returning id, email_hash
     )
     insert into webhook_delivery (organization_id, id, webhook_id, event, trigger, pixel_id,
       visitor_id, visitor_hash, next_attempt_at)
     select $1, gen_random_uuid(), webhook.id, 'visitor.identified', 'first_match', $4, person.id,
       email_hash, now()
     from person cross join unnest($2::uuid[]) as webhook (id)`,
    [customer.id, ids, events, customer.organization.pixelId],
  )
  const held = (change: Partial<InHand> = {}): ReadonlyArray<InHand> =>
    ids.map((webhookId) => ({
      organizationId: customer.id,
      webhookId,
      count: 0,
      isQuick: false,
      isSlow: false,
      ...change,
    }))
  return { customer, ids, held }
}

describe("a claim", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ workers: false, allowPrivateWebhooks: true })
  })
  beforeEach(() => server.sql("delete from webhook_delivery"))
  afterAll(() => server.close())

  const claimed = async (room: Room, inHand: ReadonlyArray<InHand>) => {
    const rows = await onServices(
      server,
      Effect.flatMap(SendingStore, ({ claim }) => claim(room, inHand)),
    )
    return (id: string) =>
      rows.filter(({ organizationId, webhookId }) => [organizationId, webhookId].includes(id))
        .length
  }

  it("gives all organizations of one creator together half of what is free", async () => {
    const createdBy = await creator(server)
    const one = await queueFor(server, { createdBy, events: 10, webhooks: 4 })
    const other = await queueFor(server, { createdBy, events: 10, webhooks: 4 })

    const of = await claimed({ free: 40, ofSlow: 30 }, [...one.held(), ...other.held()])

    expect(of(one.customer.id) + of(other.customer.id)).toBe(20)
  })

  it("gives creators who hold as many as are free nothing, and the last place to one who holds none", async () => {
    const greedy = await queueFor(server, { createdBy: await creator(server), events: 10 })
    const small = await queueFor(server, { createdBy: await creator(server), events: 10 })

    const of = await claimed({ free: 1, ofSlow: 30 }, [
      ...greedy.held({ count: 1 }),
      ...small.held(),
    ])

    expect([of(greedy.customer.id), of(small.customer.id)]).toEqual([0, 1])
  })

  it("leaves places that only receivers get which respond within a second", async () => {
    const slow = await queueFor(server, { createdBy: await creator(server), events: 10 })
    const unknown = await queueFor(server, { createdBy: await creator(server), events: 10 })
    const prompt = await queueFor(server, { createdBy: await creator(server), events: 10 })
    const elsewhere = { count: 26, isSlow: true, webhookId: randomUUID() }

    const of = await claimed({ free: 14, ofSlow: 30 }, [
      ...(await queueFor(server, { events: 0 })).held(elsewhere),
      ...slow.held({ isSlow: true }),
      ...prompt.held(),
    ])

    expect(of(slow.customer.id)).toBe(2)
    // It is not known yet.
    expect(of(unknown.customer.id)).toBe(1)
    expect(of(prompt.customer.id)).toBeGreaterThanOrEqual(5)
  })

  it("of any process takes nothing for a chat that asked to pause, until the pause is over", async () => {
    const { customer, ids } = await queueFor(server, { events: 1 })
    const rest = (until: string) =>
      server.sql(`update webhook set rests_until = ${until} where id = $1`, [ids[0]])

    await rest("now() + interval '1 minute'")
    const during = await claimed({ free: 10, ofSlow: 10 }, [])
    await rest("now()")
    const after = await claimed({ free: 10, ofSlow: 10 }, [])

    expect([during(customer.id), after(customer.id)]).toEqual([0, 1])
  })
})

it("the first webhook of a neighbor is sent at once while four people's receivers hang", async () => {
  const server = await startSite()
  const receiver = await startReceiver()
  const hanging = await startReceiver()
  hanging.answer = () => undefined
  try {
    for (let person = 0; person < 4; person++) {
      const createdBy = await creator(server)
      await queueFor(server, { createdBy, events: 10, url: hanging.url, webhooks: 20 })
    }
    await expect.poll(() => hanging.received.length, { timeout: 60_000 }).toBeGreaterThan(100)
    const waits: Array<number> = []
    for (let turn = 0; turn < 5; turn++) {
      const { ids } = await queueFor(server, { events: 1, url: `${receiver.url}/${turn}` })
      const [first] = await receiver.waitFor(1, `/${turn}`)
      const [queued] = await server.sql(
        "select created_at as at from webhook_delivery where webhook_id = $1",
        [ids[0]],
      )
      waits.push(first!.at - (queued!["at"] as Date).getTime())
    }
    // The receivers hang for 30 seconds. On an idle machine this is below one second.
    expect(Math.max(...waits)).toBeLessThan(15_000)
  } finally {
    await server.close()
    await receiver.close()
    await hanging.close()
  }
}, 240_000)
