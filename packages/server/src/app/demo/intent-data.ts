// The demo's intent data: the topic catalog, made-up shared people, and two weeks of signals, including the demo's own
// visitors. It is loaded through the operators' import, so a newcomer sees what a real installation would contain.
import { Context, DateTime, Effect, Layer, Stream } from "effect"
import { ImportKinds } from "../../people/imports/import-kind.ts"
import { Imports } from "../../people/imports/imports.ts"
import { StarterTopics } from "../../intent/topics/starter-topics.ts"
import { Signals } from "../../intent/signals/signals.ts"
import { peopleLines, signalLines } from "./generate/csv.ts"
import { emailAt } from "./generate/person.ts"
import { catalogOf } from "./generate/topics.ts"
import { samplePeople } from "./sample.ts"

/** People who are not visitors of the demo. */
const strangersCount = 2_400
/**
 * Enough for every topic to have people with the usual scores, few enough to start within seconds: signals are most of
 * the cost.
 */
const signalsCount = 150_000
const daysCount = 14
const evenShare = 0.8
/** The topics used in the documentation: freight and warehouses. */
const prominent = [3377, 1015, 1018, 1007, 1204]
const seed = 4105
const linesPerChunk = 1_000

export class IntentData extends Context.Service<
  IntentData,
  {
    /**
     * Imports what the demo organization lacks; its visitors are the sample of `sampleSeed`. Guarantee: the data exists
     * when this returns. A demo that was not started for a month gets newer signals.
     */
    ensure(options: {
      readonly organizationId: string
      readonly sampleSeed: number
    }): Effect.Effect<void>
  }
>()("@footfall/server/demo/IntentData") {
  static readonly layer = Layer.effect(
    IntentData,
    Effect.gen(function* () {
      const imports = yield* Imports
      const kinds = yield* ImportKinds
      const signals = yield* Signals
      const starter = yield* StarterTopics

      const run = (organizationId: string, kind: "people" | "signals", lines: Iterable<string>) =>
        imports.run({
          kind: kinds[kind],
          format: "csv",
          input: Stream.fromIterable(chunks(lines)),
          organizationId,
          isShared: kind === "people",
          actor: { type: "operator" },
        })

      return IntentData.of({
        ensure: Effect.fn("IntentData.ensure")(function* ({ organizationId, sampleSeed }) {
          if ((yield* signals.dataDate(organizationId)).hasSignals) return
          const csv = yield* starter.csv
          const visitors = samplePeople(sampleSeed)
          yield* starter.load(organizationId)
          yield* run(organizationId, "people", peopleLines({ peopleCount: strangersCount, seed }))
          const lines = signalLines({
            topics: catalogOf(csv, Infinity),
            peopleCount: visitors.length + strangersCount,
            signalsCount,
            daysCount,
            evenShare,
            prominent,
            seed,
            lastDate: DateTime.formatIsoDateUtc(yield* DateTime.now),
            emailOf: (number) => visitors[number]?.email ?? emailAt(number - visitors.length, seed),
          })
          yield* run(organizationId, "signals", lines)
        }, Effect.orDie),
      })
    }),
  )
}

/** Yields several lines at a time: neither single lines nor everything at once. */
function* chunks(lines: Iterable<string>): Iterable<Uint8Array> {
  const encoder = new TextEncoder()
  let chunk: Array<string> = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < linesPerChunk) continue
    yield encoder.encode(`${chunk.join("\n")}\n`)
    chunk = []
  }
  yield encoder.encode(chunk.join("\n"))
}
