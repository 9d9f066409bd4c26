// What is remembered about numbered pages, for how long, and that memory is bounded.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { PageBoundaries } from "./page-boundaries.ts"

const boundary = (total: number) => ({ after: ["2026-03-11T09:00:00.000Z", "ab"] as const, total })

it.effect("a page is remembered by traversal and number, and the last value counts", () =>
  Effect.gen(function* () {
    const boundaries = yield* PageBoundaries
    yield* boundaries.remember("a", 2, boundary(1))
    yield* boundaries.remember("a", 2, boundary(2))

    assert.strictEqual((yield* boundaries.find("a", 2))?.total, 2)
    assert.isUndefined(yield* boundaries.find("a", 3))
    assert.isUndefined(yield* boundaries.find("b", 2))
  }).pipe(Effect.provide(PageBoundaries.layer)),
)

it.effect("is kept for 15 minutes from the last time it was remembered", () =>
  Effect.gen(function* () {
    const boundaries = yield* PageBoundaries
    yield* boundaries.remember("a", 2, boundary(1))
    yield* TestClock.adjust("10 minutes")
    yield* boundaries.remember("a", 2, boundary(1))

    yield* TestClock.adjust(15 * 60_000 - 1)
    assert.isDefined(yield* boundaries.find("a", 2))
    yield* TestClock.adjust(1)
    assert.isUndefined(yield* boundaries.find("a", 2))
  }).pipe(Effect.provide(PageBoundaries.layer)),
)

it.effect("beyond 20,000 pages the one remembered longest ago is dropped", () =>
  Effect.gen(function* () {
    const boundaries = yield* PageBoundaries
    for (let page = 1; page <= 20_000; page++) yield* boundaries.remember("a", page, boundary(1))
    yield* boundaries.remember("a", 1, boundary(1))

    assert.isDefined(yield* boundaries.find("a", 2))
    yield* boundaries.remember("b", 1, boundary(1))

    assert.isUndefined(yield* boundaries.find("a", 2))
    assert.isDefined(yield* boundaries.find("a", 1))
    assert.isDefined(yield* boundaries.find("a", 3))
  }).pipe(Effect.provide(PageBoundaries.layer)),
)
