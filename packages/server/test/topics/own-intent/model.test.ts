// Own intent compared with a naive recomputation: random rules, people and page views, counted by the server on a
// real database and in memory as spec 2.18 defines.
import { matchesAny } from "@footfall/pixel/path-filter"
import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  dayAfter,
  endedDay,
  makePerson,
  type OwnIntentServer,
  type Person,
  setRules,
  signalsOf,
  startOwnIntentServer,
  view,
  workedUntil,
} from "./worker.ts"
import { isSoak } from "../../soak/size.ts"

let server: OwnIntentServer

beforeAll(async () => {
  server = await startOwnIntentServer()
})
afterAll(() => server.close())

const segment = fc.constantFrom("a", "b", "c", "A", "")
const seenPath = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`)
const pattern = fc.oneof(
  fc.constantFrom("/$", "/a", "/a/", "/a/b", "/*/b", "/a/*", "/*/*/c"),
  seenPath.filter((path) => path.length > 1),
)
const rule = fc.record({ path: pattern, topicId: fc.integer({ min: 1, max: 4 }) })
const pixelRules = fc.array(fc.array(rule, { maxLength: 4 }), { minLength: 2, maxLength: 2 })
const people = fc.array(fc.record({ suppressed: fc.boolean(), heldBack: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
})
const pageView = fc.record({
  person: fc.option(fc.nat(3)),
  pixel: fc.nat(1),
  path: seenPath,
  days: fc.integer({ min: -8, max: 1 }),
  time: fc.constantFrom("00:00:00.000", "12:00:00.000", "23:59:59.999"),
  isLate: fc.boolean(),
  type: fc.constantFrom("page", "page", "page", "track"),
})

it("matches it for any page views", async () => {
  const day = await endedDay(server)
  await fc.assert(
    fc.asyncProperty(
      pixelRules,
      people,
      fc.array(pageView, { maxLength: 40 }),
      async (ruleLists, persons, seen) => {
        const { organizationId, pixelId } = await server.makeOrganization()
        const [second] = await server.sql(
          `insert into pixel (organization_id, id, domain, name)
           values ($1, gen_random_uuid(), 'second.example', 'second') returning id`,
          [organizationId],
        )
        const pixelIds = [pixelId, String(second?.["id"])]
        for (const [place, rules] of ruleLists.entries()) {
          if (rules.length > 0) await setRules(server, pixelIds[place]!, rules)
        }
        const made: Array<Person> = []
        for (const person of persons) made.push(await makePerson(server, organizationId, person))
        const personOf = (place: number | null) => (place === null ? null : (made[place] ?? null))
        await view(
          server,
          organizationId,
          seen.map(({ days, isLate, path, person, pixel, time, type }) => ({
            person: personOf(person),
            pixelId: pixelIds[pixel]!,
            url: `https://s.example${path}`,
            at: `${dayAfter(day, days)}T${time}Z`,
            receivedAt: isLate
              ? `${dayAfter(day, days + 1)}T00:00:00Z`
              : `${dayAfter(day, days)}T${time}Z`,
            type,
          })),
        )
        await workedUntil(server, dayAfter(day, -1))

        await server.runDue()

        const expected = []
        for (const topicId of [1, 2, 3, 4]) {
          for (const [place, { emailHash }] of made.entries()) {
            if (persons[place]!.suppressed || persons[place]!.heldBack) continue
            const counts = ruleLists.flatMap((rules, pixel) =>
              rules
                .filter((one) => one.topicId === topicId)
                .map(
                  (one) =>
                    seen.filter(
                      (each) =>
                        each.type === "page" &&
                        each.person === place &&
                        each.pixel === pixel &&
                        each.days >= -6 &&
                        each.days <= 0 &&
                        matchesAny([one.path], each.path),
                    ).length,
                ),
            )
            const most = Math.max(0, ...counts)
            if (most > 0) {
              const score = Math.min(100, 40 + 10 * most)
              expected.push({ date: day, topicId, emailHash, score })
            }
          }
        }
        const found = await signalsOf(server, organizationId)
        const key = (signal: { topicId: number; emailHash: string }) =>
          `${signal.topicId} ${signal.emailHash}`
        expect(found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))).toEqual(
          expected.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)),
        )
        // The next run has its own tasks.
        await server.sql("update pixel set settings = '{}'")
      },
    ),
    { numRuns: isSoak ? 150 : 50 },
  )
}, 120_000)
