// Random audiences over several runs, with people who refuse at the service, people who were on the list before, and rules,
// against a plain model of who belongs on the list: after each delivery the list at the service is the model's (spec 2.16).
import { afterAll, beforeAll, expect, it } from "vitest"
import { DeliveryWorld, person } from "../../deliveries/support.ts"
import { doubles } from "./world.ts"

const names = Array.from({ length: 14 }, (_, number) => `p${number}`)
const rounds = 5

let world: DeliveryWorld
beforeAll(async () => {
  world = await DeliveryWorld.start()
})
afterAll(() => world.close())

/** The same numbers from 0 to 1 for the same seed. */
const drawing = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** One contact a request, and a hundred. The statuses are of people who refused and are therefore never taken off. */
const kinds = new Map<string, ReadonlyArray<string>>([
  ["emailoctopus", ["unsubscribed"]],
  ["listmonk", ["unsubscribed", "blocklisted"]],
  // Whether someone opted out has nothing to do with its lists.
  ["hubspot", []],
])
const cases = doubles
  .filter(([appSlug]) => kinds.has(appSlug))
  .flatMap(([appSlug, start]) => [1, 2, 3].map((seed) => [appSlug, seed, start] as const))

it.each(cases)(
  "the list of %s is the audience after each of several random runs, draw %i",
  async (appSlug, seed, start) => {
    const draw = drawing(seed * 7_919)
    const double = await start()
    const refusing = kinds.get(appSlug)!
    try {
      const prefix = `${appSlug.slice(0, 1)}${seed}`
      const mailOf = (name: string) => `${prefix}${name}@harbor.example`
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
        config: { listId: double.listId, onLeave: "remove_from_list" },
      })
      await world.world.changed(destination, { status: "active" })

      const before = new Set(names.filter(() => draw() < 0.2))
      for (const name of before) double.put(mailOf(name), double.removable)
      const onList = new Set(before)
      const added = new Set<string>()
      const refused = new Map<string, string>()
      const suppressed = new Set<string>()

      for (let round = 0; round < rounds; round++) {
        for (const name of onList) {
          if (refusing.length === 0 || refused.has(name) || draw() >= 0.12) continue
          const status = refusing[Math.floor(draw() * refusing.length)]!
          double.put(mailOf(name), status)
          refused.set(name, status)
        }
        for (const name of names) {
          if (suppressed.has(name) || draw() >= 0.06) continue
          await world.suppress(mailOf(name))
          suppressed.add(name)
        }
        const drawn = names.filter(() => draw() < 0.6)
        const found = drawn.length > 0 ? drawn : [names[0]!]
        await world.run(
          audienceId,
          found.map((name) => person(`${prefix}${name}`)),
        )
        const wanted = new Set(found.filter((name) => !suppressed.has(name)))
        let removals = 0
        for (const name of names) {
          if (refused.has(name)) continue
          if (wanted.has(name) && !onList.has(name)) {
            onList.add(name)
            added.add(name)
          } else if (!wanted.has(name) && added.delete(name)) {
            onList.delete(name)
            removals++
          }
        }

        const delivery = await world.ended(await world.sync(destination), 60_000)

        const there = new Map(double.people().map(({ email, status }) => [email, status]))
        const listed = names.filter((name) => {
          const status = there.get(mailOf(name)) ?? null
          return status !== null && !refusing.includes(status)
        })
        expect(listed, `round ${round}`).toEqual(
          names.filter((name) => onList.has(name) && !refused.has(name)),
        )
        for (const [name, status] of refused) expect(there.get(mailOf(name))).toBe(status)
        expect(delivery).toMatchObject({ status: "completed", failedCount: 0 })
        expect(delivery.removedCount, `round ${round}`).toBe(removals)
      }
      expect(double.violations).toEqual([])
    } finally {
      await double.close()
    }
  },
  120_000,
)
