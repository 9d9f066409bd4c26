// Workers are killed with kill -9 while they deliver to a service: everyone is at the service once, whoever left is off the
// list, whoever refused or was there before stays, and the counters are exact, for a service that takes one contact a
// request and for those that take a hundred.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Delivery } from "../../src/activation/deliveries/delivery.ts"
import { DeliveryWorld, people } from "../deliveries/support.ts"
import { doubles } from "../destinations/connectors/world.ts"
import { isSoak } from "../soak/size.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"

const contacts = isSoak ? 2_000 : 240
const kills = isSoak ? 20 : 2
const workers = 2

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start({ workers: false })
})
afterAll(async () => {
  await killLeftServers()
  await world.close()
})

/** One contact a request, a hundred, and a hundred by a job. */
const kinds = new Set(["emailoctopus", "hubspot", "klaviyo"])

it.each(doubles.filter(([appSlug]) => kinds.has(appSlug)))(
  "killed workers leave %s with the audience, everyone once, and no one subscribed again",
  async (appSlug, start) => {
    const double = await start()
    const found = people(contacts, `k${appSlug}`)
    const refused = found.slice(0, contacts / 5)
    for (const [index, { email }] of refused.entries()) {
      double.put(email!, double.refusing[index % double.refusing.length]!)
    }
    const before = new Map(double.people().map(({ email, status }) => [email, status]))
    const { account } = await world.world.get<{ readonly account: { readonly id: string } }>(
      "POST /v1/intent/integrations/accounts",
      { appSlug, credentials: { ...double.credentials, baseUrl: double.url } },
    )
    const audienceId = await world.world.audience()
    const { destination } = await world.world.get<{
      readonly destination: { readonly id: string; readonly audienceId: string }
    }>(`POST /v1/intent/audiences/${audienceId}/destinations`, {
      destinationType: "automation",
      name: "List",
      appSlug,
      connectedAccountId: account.id,
      config: {
        listId: double.listId,
        fieldMapping: double.fieldMapping,
        onLeave: "remove_from_list",
      },
    })
    await world.world.changed(destination, { status: "active" })
    await world.run(audienceId, found)
    const delivery = await world.sync(destination)
    const home = () =>
      makeServerHome({
        DATABASE_URL: world.world.server.databaseUrl,
        FOOTFALL_SECRET: testSecret,
        ALLOW_PRIVATE_WEBHOOKS: "on",
        LOG_LEVEL: "silent",
      })
    const running = await Promise.all(
      Array.from({ length: workers }, async () =>
        ServerProcess.start(await home(), "--workers-only"),
      ),
    )

    /** Kills workers while they deliver. */
    const killed = async (delivery: Delivery) => {
      for (let kill = 0; kill < kills; kill++) {
        const sent = double.requests.length
        // A service that takes a hundred a request may have everyone by then.
        const isFurther = async () =>
          double.requests.length > sent + 2 || (await world.read(delivery)).status === "completed"
        await expect.poll(isFurther, { timeout: 60_000 }).toBe(true)
        const place = kill % workers
        await running[place]!.kill()
        await world.sql(
          `update delivery set leased_until = clock_timestamp() - interval '1 second'
           where id = $1 and status = 'processing'`,
          [delivery.id],
        )
        running[place] = ServerProcess.launch(await home(), "--workers-only")
        await sleep(50)
      }
      return world.ended(delivery, 240_000)
    }
    const ended = await killed(delivery)

    expect(ended).toMatchObject({
      status: "completed",
      sourceCount: contacts,
      sentCount: contacts,
      skippedCount: 0,
      failedCount: 0,
    })
    const after = double.people()
    expect(after).toHaveLength(contacts)
    expect(new Set(after.map(({ email }) => email)).size).toBe(contacts)
    for (const { email, status } of after) {
      expect([email, status]).toEqual([email, before.get(email) ?? double.newStatus])
    }

    // It owns exactly those whom it added, whatever became of the answers.
    const added = await world.sql(
      "select encode(hashed_email, 'hex') as hash from destination_contact where destination_id = $1 and is_added",
      [destination.id],
    )
    const wasThere = (email: string) => {
      const former = before.get(email)
      return former !== undefined && former !== "opted out"
    }
    const ours = found.filter(({ email }) => !wasThere(email!))
    expect(added.map(({ hash }) => hash).toSorted()).toEqual(
      ours.map(({ hashedEmail }) => hashedEmail).toSorted(),
    )

    // Two in five leave, and some of these were there before.
    const staying = found.filter((_, index) => index % 5 > 1)
    const leaving = new Set(found.filter((_, index) => index % 5 <= 1).map(({ email }) => email!))
    await world.run(audienceId, staying)
    const second = await killed(await world.sync(destination))

    const removed = ours.filter(({ email }) => leaving.has(email!)).length
    expect(second).toMatchObject({ status: "completed", sourceCount: 0, removedCount: removed })
    const members = new Map(double.people().map(({ email, status }) => [email, status]))
    for (const { email } of found) {
      const isGone = leaving.has(email!) && !wasThere(email!)
      const status = members.get(email!) ?? null
      if (!isGone) expect([email, status]).toEqual([email, before.get(email!) ?? double.newStatus])
      else expect([email, status]).not.toEqual([email, double.newStatus])
    }
    expect(double.violations).toEqual([])
    await Promise.all(running.map((server) => server.kill()))
    await double.close()
  },
  600_000,
)
