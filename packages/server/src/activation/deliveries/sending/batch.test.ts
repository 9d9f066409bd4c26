// How the contacts of a batch are sent, by the rows of spec 8.4.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Semaphore } from "effect"
import { TestClock } from "effect/testing"
import type { ResultDbRow } from "../../../intent/runs/results/result-row.ts"
import { Promptness } from "../../../platform/outbound/promptness.ts"
import { type Leave, sendBatch } from "./batch.ts"
import type { PresentContact } from "../plan.ts"
import { BatchProgress, contactAttemptsMax } from "./batch-progress.ts"
import type { ContactOutcome } from "./outcome.ts"

const contacts = (count: number, attempts = 0): ReadonlyArray<PresentContact> =>
  Array.from({ length: count }, (_, index) => ({
    place: index + 1,
    sequence: index + 1,
    change: "added",
    attempts,
    // These tests never read the row.
    row: { position: index + 1 } as ResultDbRow,
    isSuppressed: false,
  }))

const error = {
  code: "ENDPOINT_ERROR",
  message: "The endpoint responded with 500.",
  statusCode: 500,
} as const
const sent = { type: "sent", contentHash: "00".repeat(32) } as const
const transient = (retryAfterSeconds: number | null = null): ContactOutcome => ({
  type: "transient",
  error,
  retryAfterSeconds,
})
const refused = (
  code: "CONTACT_INVALID" | "ENDPOINT_REJECTED" = "ENDPOINT_REJECTED",
): ContactOutcome => ({
  type: "refused",
  error: { code, message: "No.", statusCode: 400 },
})
const stopped: ContactOutcome = {
  type: "stopped",
  error: { code: "ENDPOINT_GONE", message: "The endpoint responded with 410.", statusCode: 410 },
}

/** No earlier batch, and nothing stored. */
const alone = (): Leave => ({
  leaving: Deferred.makeUnsafe<void>(),
  promptness: new Promptness(),
  window: Semaphore.makeUnsafe(1_000),
  mayBeSent: () => true,
  settled: () => undefined,
  stumbled: () => undefined,
})

interface Call {
  readonly place: number
  readonly attempt: number
  readonly at: number
}

/** Sends the contacts over a channel that responds as instructed; a response takes a millisecond. */
const sending = Effect.fnUntraced(function* (
  all: ReadonlyArray<PresentContact>,
  answer: (call: Call) => ContactOutcome,
  streak = { code: null as string | null, count: 0 },
  leave = alone(),
) {
  const calls: Array<Call> = []
  let now = 0
  let most = 0
  const progress = new BatchProgress(all, streak)
  const fiber = yield* Effect.forkChild(
    sendBatch(
      all,
      {
        send: ({ place }, { attempt }) =>
          Effect.gen(function* () {
            const call = { place, attempt, at: yield* Clock.currentTimeMillis }
            calls.push(call)
            most = Math.max(most, ++now)
            yield* Effect.sleep("1 millis")
            now -= 1
            return answer(call)
          }),
      },
      progress,
      leave,
    ),
  )
  yield* TestClock.adjust("1 hour")
  yield* Fiber.join(fiber)
  return { calls, progress, most }
})

const callsOf = (calls: ReadonlyArray<Call>, place: number) =>
  calls.filter((call) => call.place === place)

describe("a batch", () => {
  it.effect("is sent in order, five at a time", () =>
    Effect.gen(function* () {
      const { calls, most, progress } = yield* sending(contacts(100), () => sent)

      assert.deepStrictEqual(
        calls.map(({ place }) => place),
        Array.from({ length: 100 }, (_, index) => index + 1),
      )
      assert.strictEqual(most, 5)
      assert.isTrue(progress.isWhole)
    }),
  )

  it.effect(
    "checks before each attempt whether a contact may be sent, and skips one that may not",
    () =>
      Effect.gen(function* () {
        const leave: Leave = {
          ...alone(),
          // The first never, the second not until it is retried.
          mayBeSent: ({ place }, tries) =>
            Effect.succeed(place === 3 || (place === 2 && tries === 1)),
        }

        const { calls, progress } = yield* sending(
          contacts(3),
          ({ place }) => (place === 2 ? transient() : sent),
          undefined,
          leave,
        )

        assert.deepStrictEqual(
          calls.map(({ attempt, place }) => [place, attempt]),
          [
            [2, 1],
            [3, 1],
          ],
        )
        assert.isTrue(progress.isWhole)
      }),
  )

  it.effect(
    "makes three attempts per contact: at once, after 2 s, after 10 s; then it has failed",
    () =>
      Effect.gen(function* () {
        const { calls, progress } = yield* sending(contacts(3), ({ place }) =>
          place === 2 ? transient() : sent,
        )

        const [first, second, third] = callsOf(calls, 2).map(({ at }) => at)
        assert.deepStrictEqual([second! - first!, third! - second!], [2_001, 10_001])
        assert.deepStrictEqual(
          progress.failed.map(({ attempts, contact }) => [contact.place, attempts]),
          [[2, 3]],
        )
        assert.strictEqual(progress.sent.length, 2)
      }),
  )

  it.effect("sends others while a contact waits", () =>
    Effect.gen(function* () {
      const { calls } = yield* sending(contacts(50), ({ attempt, place }) =>
        attempt === 1 && place <= 10 ? transient() : sent,
      )

      assert.isBelow(callsOf(calls, 50)[0]!.at, 2_000)
    }),
  )

  it.effect("waits in place for a Retry-After of up to 12 s", () =>
    Effect.gen(function* () {
      const { calls, progress } = yield* sending(contacts(1), ({ attempt }) =>
        attempt === 1 ? transient(12) : sent,
      )

      assert.strictEqual(calls[1]!.at - calls[0]!.at, 12_001)
      assert.strictEqual(progress.sent.length, 1)
    }),
  )

  it.effect("records a permanent failure at once, and the other contacts continue", () =>
    Effect.gen(function* () {
      const { calls, progress } = yield* sending(contacts(20), ({ place }) =>
        place === 3 ? refused() : sent,
      )

      assert.strictEqual(callsOf(calls, 3).length, 1)
      assert.strictEqual(progress.failed.length, 1)
      assert.strictEqual(progress.sent.length, 19)
    }),
  )

  it.effect(
    "treats transient failures of more than half as the endpoint's, and leaves them open",
    () =>
      Effect.gen(function* () {
        const { progress } = yield* sending(contacts(10), ({ place }) =>
          place <= 6 ? transient() : sent,
        )

        assert.strictEqual(progress.halt?.type, "parked")
        assert.strictEqual(progress.failed.length, 0)
        assert.deepStrictEqual([...progress.open.values()], [3, 3, 3, 3, 3, 3])
        assert.strictEqual(progress.sent.length, 4)
      }),
  )

  it.effect("does not for half of them, nor for more than half of fewer than 10 contacts", () =>
    Effect.gen(function* () {
      const half = yield* sending(contacts(10), ({ place }) => (place <= 5 ? transient() : sent))
      const few = yield* sending(contacts(9), () => transient())

      assert.isUndefined(half.progress.halt)
      assert.strictEqual(half.progress.failed.length, 5)
      assert.isUndefined(few.progress.halt)
      assert.strictEqual(few.progress.failed.length, 9)
    }),
  )

  it.effect("stops at ten consecutive contacts with the same permanent code", () =>
    Effect.gen(function* () {
      const { progress } = yield* sending(contacts(100), () => refused())

      assert.strictEqual(progress.halt?.error.code, "CONSECUTIVE_ERRORS")
      // Those in progress at the tenth failure still count.
      assert.isAtMost(progress.failed.length, 14)
      assert.strictEqual(progress.open.size, 100 - progress.failed.length)
    }),
  )

  it.effect(
    "continues a streak of failures from the previous batch, until another code or a success",
    () =>
      Effect.gen(function* () {
        const over = yield* sending(contacts(1), () => refused(), {
          code: "ENDPOINT_REJECTED",
          count: 9,
        })
        const other = yield* sending(contacts(1), () => refused("CONTACT_INVALID"), {
          code: "ENDPOINT_REJECTED",
          count: 9,
        })
        const success = yield* sending(
          contacts(2),
          ({ place }) => (place === 1 ? sent : refused()),
          {
            code: "ENDPOINT_REJECTED",
            count: 9,
          },
        )

        assert.strictEqual(over.progress.halt?.type, "stopped")
        assert.isUndefined(other.progress.halt)
        assert.isUndefined(success.progress.halt)
      }),
  )

  it("ends a streak of refused contacts when one fails for another reason in between", () => {
    const [unreached, next] = contacts(2)
    const progress = new BatchProgress([unreached!, next!], { code: "ENDPOINT_REJECTED", count: 9 })
    progress.begin([unreached!, next!])

    progress.attempt(unreached!, 0)
    progress.record(unreached!, transient(), contactAttemptsMax, 0)
    progress.attempt(next!, 0)
    progress.record(next!, refused(), 1, 0)

    assert.isUndefined(progress.halt)
    assert.deepStrictEqual(progress.streak, { code: "ENDPOINT_REJECTED", count: 1 })
  })

  it.effect("ends at a permanent failure of the endpoint: nothing more is sent", () =>
    Effect.gen(function* () {
      const { calls, progress } = yield* sending(contacts(100), ({ place }) =>
        place === 7 ? stopped : sent,
      )

      assert.strictEqual(progress.halt?.error.code, "ENDPOINT_GONE")
      assert.isBelow(calls.length, 15)
      assert.strictEqual(progress.sent.length + progress.open.size, 100)
    }),
  )

  it.effect("fails a contact that cannot be written, and the others arrive", () =>
    Effect.gen(function* () {
      const progress = new BatchProgress(contacts(3), { code: null, count: 0 })
      yield* sendBatch(
        [...progress.open.keys()] as ReadonlyArray<PresentContact>,
        {
          send: ({ place }) =>
            place === 1 ? Effect.die(new Error("poison")) : Effect.succeed(sent),
        },
        progress,
        alone(),
      )

      assert.deepStrictEqual(
        progress.failed.map(({ error }) => error.code),
        ["INTERNAL_ERROR"],
      )
      assert.strictEqual(progress.sent.length, 2)
    }),
  )

  it.effect("continues counting attempts after an earlier run of the batch", () =>
    Effect.gen(function* () {
      const { calls } = yield* sending(contacts(1, 3), () => sent)

      assert.strictEqual(calls[0]!.attempt, 4)
    }),
  )

  it.effect("is recorded in parts, each with only what is new", () =>
    Effect.gen(function* () {
      const all = contacts(100)
      const progress = new BatchProgress(all, { code: null, count: 0 })
      const parts: Array<ReturnType<BatchProgress["take"]>> = []
      yield* sendBatch(
        all,
        { send: ({ place }) => Effect.as(Effect.yieldNow, place % 10 === 0 ? refused() : sent) },
        progress,
        {
          ...alone(),
          settled: () => {
            if (progress.settled >= 50 && !progress.isWhole) parts.push(progress.take())
            return undefined
          },
        },
      )
      parts.push(progress.take())

      assert.deepStrictEqual(
        parts.map(({ attempts, failed, sent }) => [sent.length, failed.length, attempts.size]),
        [
          [45, 5, 50],
          [45, 5, 0],
        ],
      )
      assert.deepStrictEqual(
        parts.map(({ failedSinceSent, lastError }) => [failedSinceSent, lastError?.code]),
        [
          [1, "ENDPOINT_REJECTED"],
          [1, "ENDPOINT_REJECTED"],
        ],
      )
      assert.deepStrictEqual([progress.isTaken, progress.hasNews], [true, false])
    }),
  )

  it.effect("makes no further attempt when the process ends, and leaves the others open", () =>
    Effect.gen(function* () {
      const leave = alone()
      const all = contacts(12)
      const progress = new BatchProgress(all, { code: null, count: 0 })
      const fiber = yield* Effect.forkChild(
        sendBatch(
          all,
          {
            send: ({ place }) =>
              Effect.as(Effect.sleep("1 second"), place === 1 ? transient() : sent),
          },
          progress,
          leave,
        ),
      )
      // The first waits for its second attempt; five others are in progress.
      yield* TestClock.adjust("1500 millis")
      yield* Deferred.succeed(leave.leaving, undefined)
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(fiber)

      assert.deepStrictEqual(
        progress.sent.map(({ contact }) => contact.place),
        [2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
      assert.deepStrictEqual(
        [...progress.open].map(([{ place }, attempts]) => [place, attempts]),
        [
          [1, 1],
          [11, 0],
          [12, 0],
        ],
      )
    }),
  )

  it.effect("starts no contact while a hundred are started and not stored", () =>
    Effect.gen(function* () {
      const window = Semaphore.makeUnsafe(100)
      const all = contacts(100)
      const begun: Array<number> = []
      const progress = new BatchProgress(all, { code: null, count: 0 })
      // Forty contacts of the batch before it are being stored.
      yield* window.take(40)
      const fiber = yield* Effect.forkChild(
        sendBatch(
          all,
          {
            send: ({ place }) =>
              Effect.sync(() => {
                begun.push(place)
                return sent
              }),
          },
          progress,
          { ...alone(), window },
        ),
      )
      yield* TestClock.adjust("1 hour")
      const before = begun.length
      yield* window.release(40)
      yield* Fiber.join(fiber)

      assert.strictEqual(before, 60)
      assert.strictEqual(begun.length, 100)
    }),
  )

  it.effect("a contact that the service skips is skipped, and makes room for the next", () =>
    Effect.gen(function* () {
      const { progress } = yield* sending(contacts(20), () => ({ type: "skipped" }), undefined, {
        ...alone(),
        window: Semaphore.makeUnsafe(5),
      })

      assert.strictEqual(progress.skipped.length, 20)
      assert.isTrue(progress.isWhole)
    }),
  )

  it.effect("a channel whose requests take several contacts gets that many at once", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const all = contacts(100)
      const progress = new BatchProgress(all, { code: null, count: 0 })
      const send = () =>
        Effect.gen(function* () {
          most = Math.max(most, ++now)
          yield* Effect.sleep("1 second")
          now--
          return sent
        })
      const fiber = yield* Effect.forkChild(sendBatch(all, { atOnce: 40, send }, progress, alone()))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(fiber)

      assert.strictEqual(most, 40)
      assert.strictEqual(progress.sent.length, 100)
    }),
  )
})
