// Reading a site with a replaced guard: how turns are shared, and that every turn is returned.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PartyOf } from "../../../platform/jobs/fair-turns.ts"
import { Outbound } from "../../../platform/outbound/outbound.ts"
import { readingOf } from "./page-reading.ts"
import { PageThreads } from "./page-threads.ts"
import { Sites, SitesAtOnceMax } from "./sites.ts"
import { loadStopWords } from "./stop-words.ts"

const page = {
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<p>Docks</p>"),
  url: "https://acme.example/home",
}

/** Sites that wait for permission, `atOnce` at a time. */
const gated = (atOnce: number, gate: Deferred.Deferred<void>, began: Array<string> = []) =>
  Sites.layer.pipe(
    Layer.provide(Layer.succeed(SitesAtOnceMax, atOnce)),
    Layer.provide(
      Layer.mock(PageThreads, {
        read: (_, page) =>
          Effect.map(Effect.promise(loadStopWords), (words) => readingOf(page, words)!),
      }),
    ),
    Layer.provide(
      Layer.mock(Outbound, {
        readPage: ({ url }) => {
          began.push(url)
          return Effect.as(Deferred.await(gate), page)
        },
      }),
    ),
  )

const begin = (reader: string, url = "https://acme.example/") =>
  Effect.gen(function* () {
    const sites = yield* Sites
    const fiber = yield* Effect.forkChild(Effect.result(sites.read(reader, url)))
    yield* Effect.yieldNow
    return fiber
  })

it.effect("above the limit a site waits for 10 seconds, and each finished site frees a place", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    yield* Effect.gen(function* () {
      const [first, second] = [yield* begin("a"), yield* begin("a")]

      const third = yield* begin("a")
      yield* TestClock.adjust("10 seconds")
      const refused = yield* Fiber.join(third)
      assert.deepInclude(refused._tag === "Failure" ? refused.failure : {}, { _tag: "SitesBusy" })

      yield* Fiber.interrupt(first)
      const fourth = yield* begin("a")
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of [second, fourth]) {
        const result = yield* Fiber.join(fiber)
        assert.deepInclude(result._tag === "Success" ? result.success : {}, {
          summary: "Docks",
          url: "https://acme.example/home",
        })
      }
    }).pipe(Effect.provide(gated(4, gate)))
  }),
)

it.effect("one organization never has all turns, and the next free turn goes to another", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const began: Array<string> = []
    yield* Effect.gen(function* () {
      const ours = []
      for (let asked = 0; asked < 20; asked++) ours.push(yield* begin("a", "https://a.example/"))
      yield* begin("b", "https://b.example/")

      assert.strictEqual(began.filter((url) => url === "https://a.example/").length, 8)
      assert.include(began, "https://b.example/")

      for (const other of ["c", "d", "e", "f", "g", "h", "i"]) {
        yield* begin(other, `https://${other}.example/`)
      }
      assert.strictEqual(began.length, 16)
      yield* begin("late", "https://late.example/")
      assert.notInclude(began, "https://late.example/")
      yield* Fiber.interrupt(ours[0]!)
      assert.include(began, "https://late.example/")
    }).pipe(Effect.provide(gated(16, gate, began)))
  }),
)

it.effect("40 organizations of one user leave places, and a neighbor's page is read at once", () =>
  Effect.gen(function* () {
    const gate = yield* Deferred.make<void>()
    const began: Array<string> = []
    const ofUser = Layer.succeed(PartyOf, (organizationId) =>
      Effect.succeed(organizationId.startsWith("flood") ? "user" : organizationId),
    )
    yield* Effect.gen(function* () {
      for (let asked = 0; asked < 40; asked++)
        yield* begin(`flood ${asked}`, "https://slow.example/")
      yield* begin("neighbor", "https://neighbor.example/")

      assert.deepStrictEqual(began, [
        ...Array.from({ length: 8 }, () => "https://slow.example/"),
        "https://neighbor.example/",
      ])
    }).pipe(Effect.provide(gated(32, gate, began).pipe(Layer.provide(ofUser))))
  }),
)
