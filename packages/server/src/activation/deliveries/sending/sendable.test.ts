// How old a check may be before an attempt (spec 2.16).
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { ResultDbRow } from "../../../intent/runs/results/result-row.ts"
import type { PlannedContact, PresentContact } from "../plan.ts"
import { isSendable, stillSendable } from "./sendable.ts"

const contact = (place: number, fields: Partial<PlannedContact> = {}): PlannedContact => ({
  place,
  sequence: place,
  change: "added",
  attempts: 0,
  // These tests never read the row.
  row: {} as ResultDbRow,
  isSuppressed: false,
  ...fields,
})

const route = { takes: () => true } as unknown as Parameters<typeof isSendable>[0]
const takes = isSendable(route, {} as Parameters<typeof isSendable>[1])

/** A batch of three that becomes `after` when it is read again, and how often that happened. */
const batch = (after: ReadonlyArray<PlannedContact>) => {
  const three = [contact(1), contact(2), contact(3)] as ReadonlyArray<PresentContact>
  const reads = { made: 0 }
  const again = Effect.clockWith((clock) =>
    Effect.sync(() => {
      reads.made += 1
      return { at: clock.currentTimeMillisUnsafe(), contacts: after }
    }),
  )
  const maySend = stillSendable({ at: 0, contacts: three }, again, takes)
  const ask = (tries: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(three, (one) => {
        const answer = maySend(one, tries, now)
        return typeof answer === "boolean" ? Effect.succeed(answer) : answer
      }),
    )
  return { ask, reads }
}

// The first one is asked for when the batch is read again.
const after = [contact(1, { isSuppressed: true }), contact(2), contact(3, { row: undefined })]

describe("before an attempt", () => {
  it.effect("the first one trusts a batch read five seconds ago, and no older one", () =>
    Effect.gen(function* () {
      const { ask, reads } = batch(after)
      yield* TestClock.adjust("5 seconds")

      assert.deepStrictEqual(yield* ask(1), [true, true, true])
      assert.strictEqual(reads.made, 0)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* ask(1), [false, true, false])
      assert.strictEqual(reads.made, 1)
    }),
  )

  it.effect("a later one reads the batch again, once for all attempts due together", () =>
    Effect.gen(function* () {
      const { ask, reads } = batch(after)
      yield* TestClock.adjust("2 seconds")

      assert.deepStrictEqual(yield* ask(2), [false, true, false])
      assert.deepStrictEqual(yield* ask(3), [false, true, false])
      assert.strictEqual(reads.made, 1)
      yield* TestClock.adjust("10 seconds")
      yield* ask(3)
      assert.strictEqual(reads.made, 2)
    }),
  )
})
