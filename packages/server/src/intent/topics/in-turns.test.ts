import { Effect } from "effect"
import { expect, it } from "vitest"
import { inTurns } from "./in-turns.ts"

/** Longer than a turn. */
const spin = () => {
  const until = performance.now() + 6
  while (performance.now() < until) continue
}

it("every item is processed once, in order", async () => {
  const seen: Array<number> = []
  await Effect.runPromise(inTurns([1, 2, 3], (item) => seen.push(item)))

  expect(seen).toEqual([1, 2, 3])
})

it("other work runs between long pieces, but not between short ones", async () => {
  const order: Array<string> = []
  const other = () => setImmediate(() => order.push("other"))

  other()
  await Effect.runPromise(
    inTurns(["first", "second"], (item) => {
      spin()
      order.push(item)
    }),
  )
  expect(order).toEqual(["first", "other", "second"])

  order.length = 0
  other()
  await Effect.runPromise(inTurns(["first", "second"], (item) => order.push(item)))
  expect(order.slice(0, 2)).toEqual(["first", "second"])
})
