// The server is killed with kill -9 while it delivers to a service, for each connector: the list is the audience, whoever
// refused or was there before stays as they were, no one is subscribed again, and the counters are exact.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Delivery } from "../../src/activation/deliveries/delivery.ts"
import {
  type AppSlug,
  connectors,
} from "../../src/activation/destinations/connectors/connectors.ts"
import { DeliveryWorld, people } from "../deliveries/support.ts"
import { startKlaviyo } from "../destinations/connectors/doubles/klaviyo.ts"
import { type Recipient, startMailer } from "../destinations/connectors/doubles/mailer.ts"
import { doubles } from "../destinations/connectors/world.ts"
import { figure, isSoak, sizeOf } from "../soak/size.ts"
import { killLeftServers, makeServerHome, ServerProcess } from "../support/server-process.ts"
import { testSecret } from "../support/server.ts"

/** People of each run. A fifth of the first leave, and as many join. */
const contacts = sizeOf("SOAK_CONTACTS", 240, 100_000)
/** In both deliveries together. */
const kills = sizeOf("SOAK_KILLS", 4, 20)
/** At the documented limits, 100,000 people take hours. Percent. */
const pace = "100000"
const minutes = 60_000

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start({ workers: false })
})
afterAll(async () => {
  await killLeftServers()
  await world.close()
})

// The jobs of a full run end at once, because each is waited for.
const cases: ReadonlyArray<readonly [AppSlug, () => Promise<Recipient>]> = [
  ["mailer", startMailer],
  ...doubles.map(([appSlug, start]) =>
    appSlug === "klaviyo"
      ? ([appSlug, () => startKlaviyo(isSoak ? 1 : 2)] as const)
      : ([appSlug as AppSlug, start] as const),
  ),
]

it.each(cases)(
  "a server that is killed while it delivers to %s leaves the list as the audience, and subscribes no one again",
  async (appSlug, start) => {
    const begun = Date.now()
    const double = await start()
    double.keepsRequests = false
    const onLeave = connectors[appSlug].abilities.onLeave.at(-1)!
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
      config: { listId: double.listId, fieldMapping: double.fieldMapping, onLeave },
    })
    await world.world.changed(destination, { status: "active" })

    const all = people(contacts * 1.2, `k${appSlug}`)
    const first = all.slice(0, contacts)
    const second = all.slice(contacts / 5)
    const leaving = new Set(all.slice(0, contacts / 5).map(({ email }) => email!))
    // Of ten people two refused or have not confirmed, and one was on the list before.
    for (const [index, { email }] of all.entries()) {
      const { refusing } = double
      if (index % 5 === 0 && refusing.length > 0) {
        double.put(email!, refusing[(index / 5) % refusing.length]!)
      } else if (index % 10 === 1) double.put(email!, double.removable)
    }
    const before = new Map(double.people().map(({ email, status }) => [email, status]))
    /** Opting out says nothing about HubSpot's lists: those people are not on one. */
    const isOurs = (email: string) => {
      const former = before.get(email)
      return former === undefined || former === "opted out"
    }

    const home = await makeServerHome({
      DATABASE_URL: world.world.server.databaseUrl,
      FOOTFALL_SECRET: testSecret,
      ALLOW_PRIVATE_WEBHOOKS: "on",
      LOG_LEVEL: "silent",
      SERVICE_PACE: pace,
    })
    let server = await ServerProcess.start(home, "--workers-only")
    let killed = 0

    /** Kills the server while it delivers, at equal parts of the work. */
    const disturbed = async ({ audienceId, id }: Delivery, work: number) => {
      const settled = async () => {
        const [row] = await world.sql(
          `select status, sent_count + skipped_count + failed_count + removed_count as settled
           from delivery where id = $1`,
          [id],
        )
        // The work is done if a kill is late.
        return row!["status"] === "completed" ? Infinity : Number(row!["settled"])
      }
      for (let kill = 0; kill < kills / 2; kill++) {
        const part = Math.floor((work * kill) / (kills / 2))
        await expect
          .poll(settled, { timeout: 30 * minutes, interval: 20 })
          .toBeGreaterThanOrEqual(part)
        await sleep((kill % 5) * 10)
        if ((await settled()) !== Infinity) killed++
        await server.kill()
        await world.sql(
          `update delivery set leased_until = clock_timestamp() - interval '1 second'
           where id = $1 and status = 'processing'`,
          [id],
        )
        server = await ServerProcess.start(home, "--workers-only")
      }
      return world.ended({ audienceId, id }, 60 * minutes)
    }
    /** Who isn't at the service as they should be. */
    const wrong = (isMember: (email: string) => boolean, isGone: (email: string) => boolean) => {
      const found = double.people()
      const statuses = new Map(found.map(({ email, status }) => [email, status]))
      expect(found).toHaveLength(statuses.size)
      return all.flatMap(({ email }) => {
        const status = statuses.get(email!)
        if (isGone(email!)) return status === double.newStatus ? [[email, status]] : []
        const expected = isMember(email!)
          ? (before.get(email!) ?? double.newStatus)
          : before.get(email!)
        return status === expected ? [] : [[email, status, expected]]
      })
    }
    const subscribedAgain = () =>
      double
        .people()
        .filter(
          ({ email, status }) =>
            before.has(email) && isRefusal(before.get(email)) && status !== before.get(email),
        )
    const isRefusal = (status: string | null | undefined) => double.refusing.includes(status ?? "")

    await world.run(audienceId, first)
    const filled = await disturbed(await world.sync(destination), contacts)

    expect(filled).toMatchObject({
      status: "completed",
      sourceCount: contacts,
      sentCount: contacts,
      skippedCount: 0,
      failedCount: 0,
      removedCount: 0,
    })
    const inFirst = new Set(first.map(({ email }) => email!))
    expect(
      wrong(
        (email) => inFirst.has(email),
        () => false,
      ),
    ).toEqual([])
    expect(subscribedAgain()).toEqual([])
    // It owns exactly those whom it added, whatever became of the answers. No one is taken off a mailer's list.
    if (onLeave !== "keep") {
      const added = await world.sql(
        `select encode(hashed_email, 'hex') as hash from destination_contact
         where destination_id = $1 and is_added`,
        [destination.id],
      )
      expect(new Set(added.map(({ hash }) => hash))).toEqual(
        new Set(first.filter(({ email }) => isOurs(email!)).map(({ hashedEmail }) => hashedEmail)),
      )
    }

    await world.run(audienceId, second)
    // A tag is the audience's own, so it goes from everyone; a list keeps whom it had.
    const isTaken = (email: string) => onLeave === "remove_tag" || isOurs(email)
    const removals = onLeave === "keep" ? 0 : [...leaving].filter(isTaken).length
    const changed = await disturbed(await world.sync(destination), contacts / 5 + removals)

    expect(changed).toMatchObject({
      status: "completed",
      sourceCount: contacts / 5,
      sentCount: contacts / 5,
      skippedCount: 0,
      failedCount: 0,
      removedCount: removals,
    })
    expect(
      wrong(
        () => true,
        (email) => onLeave === "remove_from_list" && leaving.has(email) && isOurs(email),
      ),
    ).toEqual([])
    if (double.hasTags && onLeave === "remove_tag") {
      const tag = `audience:${audienceId.slice(0, 8)}`
      const tagged = double.people().filter(({ tags }) => tags.includes(tag))
      expect(new Set(tagged.map(({ email }) => email))).toEqual(
        new Set(second.map(({ email }) => email!)),
      )
    }
    expect(subscribedAgain()).toEqual([])
    expect(double.violations).toEqual([])
    figure(`killed while it delivers to ${appSlug}`, {
      people: contacts,
      joined: contacts / 5,
      left: contacts / 5,
      refusedOrThereBefore: before.size,
      kills: killed,
      sent: [filled.sentCount, changed.sentCount],
      removed: changed.removedCount,
      violations: double.violations.length,
      subscribedAgain: subscribedAgain().length,
      seconds: Math.round((Date.now() - begun) / 1000),
    })
    await server.kill()
    await double.close()
  },
  isSoak ? 120 * minutes : 10 * minutes,
)
