// Signals that move to another store while people are counted: the statements may have missed some, so the people are
// counted or selected again (spec 18.4.2).
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Aliases } from "../../src/intent/audiences/aliases/aliases.ts"
import { type Counting, Countings } from "../../src/intent/audiences/counting.ts"
import { AudienceLifecycleStore } from "../../src/intent/audiences/lifecycle/store.ts"
import { AudienceStore } from "../../src/intent/audiences/store.ts"
import type { Claim } from "../../src/platform/jobs/queue.ts"
import { SegmentStore } from "../../src/people/visitors/segments/store.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { RunCompletion } from "../../src/intent/runs/run.ts"
import { Materialization } from "../../src/intent/runs/materialization/materialization.ts"
import { MaterializationStore } from "../../src/intent/runs/materialization/store.ts"
import { RunStore } from "../../src/intent/runs/store.ts"
import {
  RemoteSignals,
  type RemoteSignalsStore,
} from "../../src/intent/signals/remote-signals-store.ts"
import { RuleTurns } from "../../src/people/visitors/query/rule-turns.ts"

const config = { topicIds: [1], minScore: 1, maxScore: 100, minTopicOverlap: 1, filters: {} }

/** Signals that move during the first reads. */
const moving = (times: number) => {
  let left = times
  return Layer.succeed(RemoteSignals, {
    relation: () =>
      Effect.succeed({ signals: undefined, isCurrent: Effect.sync(() => left-- <= 0) }),
  } as unknown as RemoteSignalsStore)
}

const counting = (times: number) => {
  const counted: Array<number> = []
  const layer = Countings.layer.pipe(
    Layer.provide([
      Layer.mock(AudienceStore, {
        count: () => Effect.sync(() => ({ total: counted.push(counted.length), sample: [] })),
      }),
      Layer.mock(Aliases, {}),
      Layer.mock(Tombstones, {}),
      RuleTurns.layer,
      moving(times),
    ]),
  )
  const count = Effect.flatMap(Countings, (countings) =>
    countings.count({ organizationId: "a", config, standing: {} } as unknown as Counting, 1),
  )
  return { counted, count: Effect.provide(count, layer) }
}

it.effect("a preview is counted again until its signals did not move", () =>
  Effect.gen(function* () {
    const { count, counted } = counting(2)

    assert.strictEqual((yield* count).total, 3)
    assert.lengthOf(counted, 3)
  }),
)

it.effect("a preview whose signals move five times is an error", () =>
  Effect.gen(function* () {
    const { count, counted } = counting(5)

    const error = yield* Effect.flip(count)

    assert.strictEqual(error._tag, "StatementTimedOut")
    assert.lengthOf(counted, 5)
  }),
)

const running = (times: number) => {
  const messages: Array<string> = []
  const say = (word: string) => Effect.sync(() => void messages.push(word))
  const layer = Materialization.layer.pipe(
    Layer.provide([
      Layer.succeed(RunStore, {
        claimed: () =>
          Effect.succeed({
            id: "run",
            organizationId: "a",
            hasSignals: true,
            config,
            topics: [1],
          } as never),
        complete: () => Effect.as(say("completed"), { resultCount: 1 } as never),
        jobs: { retry: (_claim: Claim, { message }: Error) => say(message) },
      } as never),
      Layer.mock(MaterializationStore, {
        transaction: (effect) => effect,
        tombstones: () => Effect.succeed("none" as never),
        keep: () => Effect.as(say("selected"), { candidates: 1, found: 1 } as never),
        tally: () => Effect.succeed({ results: 1, tallies: [] } as never),
        lockResults: () => Effect.void,
      }),
      Layer.mock(AudienceStore, { standing: () => Effect.succeed({} as never) }),
      Layer.succeed(AudienceLifecycleStore, { refreshed: () => Effect.void } as never),
      Layer.mock(Aliases, { settle: () => Effect.void }),
      Layer.mock(Tombstones, {}),
      Layer.succeed(SegmentStore, {} as never),
      Layer.succeed(RunCompletion, { completed: () => Effect.void } as never),
      moving(times),
    ]),
  )
  const perform = Effect.flatMap(Materialization, (materialization) =>
    materialization.perform({ attempts: 1 } as Claim),
  )
  return { messages, perform: Effect.provide(perform, layer) }
}

it.effect("a run selects its people again if their signals moved in the meantime", () =>
  Effect.gen(function* () {
    const { perform, messages } = running(1)

    yield* perform

    assert.deepStrictEqual(messages, ["selected", "selected", "completed"])
  }),
)

it.effect("a run whose signals move in every attempt is retried later", () =>
  Effect.gen(function* () {
    const { perform, messages } = running(9)

    yield* perform

    assert.deepStrictEqual(messages.slice(0, 4), ["selected", "selected", "selected", "selected"])
    assert.strictEqual(messages.at(-1), "People were erased or signals moved during the run.")
  }),
)
