import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeImportPlaces, type Place } from "./import-places.ts"

type Places = Effect.Success<typeof makeImportPlaces>

const waitMs = 20_000
const chunk = new Uint8Array(16_384)

/** Holds a place and sends this many rows ten times a second, in twice the bytes needed to keep a place. */
const endless = Effect.fnUntraced(function* (places: Places, importer: string, rows: number) {
  const place: Place = yield* places.place(importer, waitMs)
  return yield* Effect.forever(
    Effect.map(place.reading(Effect.delay(Effect.succeed([chunk]), "100 millis")), () =>
      place.found(rows),
    ),
  )
}, Effect.scoped)

const begin = (places: Places, importer: string, rows = 100) =>
  Effect.forkChild(endless(places, importer, rows), { startImmediately: true })

const have = Effect.fnUntraced(function* (places: Places, importer: string) {
  const fiber = yield* Effect.forkChild(Effect.scoped(places.place(importer, waitMs)))
  for (let seconds = 0; seconds < 30; seconds++) yield* TestClock.adjust("1 second")
  return yield* Fiber.await(fiber)
})

const ended = (fibers: ReadonlyArray<Fiber.Fiber<unknown, unknown>>) =>
  fibers.map((fiber) => fiber.pollUnsafe() !== undefined)

describe("import places", () => {
  it.effect(
    "one importer never holds all places, no matter how many organizations it imports for",
    () =>
      Effect.gen(function* () {
        const places = yield* makeImportPlaces
        const fibers = []
        for (let n = 0; n < 5; n++) fibers.push(yield* begin(places, "one"))
        yield* TestClock.adjust("1 second")

        const other = yield* Effect.exit(Effect.scoped(places.place("other", waitMs)))

        assert.isTrue(Exit.isSuccess(other))
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(ended(fibers), [false, false, false, false, false])
      }),
  )

  it.effect("a waiting importer takes the newest place of an importer that holds two more", () =>
    Effect.gen(function* () {
      const places = yield* makeImportPlaces
      const fibers = []
      for (const one of ["one", "one", "other", "third"]) fibers.push(yield* begin(places, one))

      const fourth = yield* have(places, "fourth")

      assert.isTrue(Exit.isSuccess(fourth))
      assert.deepStrictEqual(ended(fibers), [false, true, false, false])
    }),
  )

  it.effect("an importer takes no place of one that holds a single place more", () =>
    Effect.gen(function* () {
      const places = yield* makeImportPlaces
      const fibers = []
      for (const one of ["one", "one", "other", "third"]) fibers.push(yield* begin(places, one))

      const second = yield* have(places, "other")

      assert.isTrue(Exit.isFailure(second))
      assert.deepStrictEqual(ended(fibers), [false, false, false, false])
    }),
  )

  it.effect("importers that hold one place each and send rows keep it", () =>
    Effect.gen(function* () {
      const places = yield* makeImportPlaces
      const fibers = []
      for (const one of ["one", "other", "third", "fourth"]) fibers.push(yield* begin(places, one))

      const fifth = yield* have(places, "fifth")

      assert.isTrue(Exit.isFailure(fifth))
      assert.deepStrictEqual(ended(fibers), [false, false, false, false])
    }),
  )

  it.effect("a stream without rows loses its place, no matter how many bytes it sends", () =>
    Effect.gen(function* () {
      const places = yield* makeImportPlaces
      const fibers = [yield* begin(places, "one", 0)]
      for (const one of ["other", "third", "fourth"]) fibers.push(yield* begin(places, one))

      const fifth = yield* have(places, "fifth")

      assert.isTrue(Exit.isSuccess(fifth))
      assert.deepStrictEqual(ended(fibers), [true, false, false, false])
    }),
  )
})
