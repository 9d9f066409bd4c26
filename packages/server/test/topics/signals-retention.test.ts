// How long signals are kept (spec 1.8), what a pixel's topic rules replace (2.18), and which date is the data date
// (2.11).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DataVersions } from "../../src/people/imports/data-versions.ts"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { SignalRetention } from "../../src/intent/signals/retention/signal-retention.ts"
import { SignalRetentionStore } from "../../src/intent/signals/retention/store.ts"
import { Signals } from "../../src/intent/signals/signals.ts"
import { otherOrganizationId, rows } from "../people/people-layer.ts"
import {
  daysAgo,
  hashOf,
  makeOperator,
  sendSignals,
  sendTopics,
  signal,
  signalsLayer,
  stateOf,
  topic,
} from "./signals-layer.ts"

const layer = SignalRetention.layer.pipe(
  Layer.provideMerge(SignalRetentionStore.layer),
  Layer.provideMerge(signalsLayer),
)
const other = { organizationId: otherOrganizationId }
const limit = 60_000

const withTopics = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  makeOperator.pipe(
    Effect.andThen(sendTopics([topic(1), topic(2)])),
    Effect.andThen(effect),
    Effect.provide(layer),
  )

/** Moves everything this many days into the past. */
const age = (days: number) =>
  Effect.forEach(["signal", "signal_date", "topic_day"], (table) =>
    rows(`update ${table} set date = date - ${days}`),
  )

describe("retention", () => {
  it.live(
    "deletes dates more than 400 days back with their figures, and raises the version",
    () =>
      withTopics(
        Effect.gen(function* () {
          const retention = yield* SignalRetention
          const versions = yield* DataVersions
          yield* sendSignals([signal(1, 1, 10, daysAgo(400)), signal(1, 1, 10, daysAgo(399))])
          yield* sendSignals([signal(1, 1, 10, daysAgo(400))], other)
          const all = yield* stateOf
          const version = yield* versions.current("signals")

          yield* retention.apply
          assert.deepStrictEqual(yield* stateOf, all)
          assert.strictEqual(yield* versions.current("signals"), version)
          yield* age(1)
          yield* retention.apply

          const state = yield* stateOf
          assert.deepStrictEqual(state.dates, [`${sharedOrganizationId} import ${daysAgo(400)} 1`])
          assert.strictEqual(state.signals.length, 1)
          assert.deepStrictEqual(state.days, [`${daysAgo(400)} 1 1 1 10 0 0 1`])
          assert.notStrictEqual(yield* versions.current("signals"), version)
        }),
      ),
    limit,
  )

  it.live(
    "deletes imports that stopped a day ago, and people that no signal can reference anymore",
    () =>
      withTopics(
        Effect.gen(function* () {
          const retention = yield* SignalRetention
          yield* sendSignals([signal(1, 1, 10, daysAgo(0)), signal(1, 2, 10, daysAgo(0))])
          yield* rows(`
            insert into signal_staged
              (organization_id, date, import_id, staged_at, signals, entries)
            select gen_random_uuid(), current_date, gen_random_uuid(), now() - age, 0, ''
            from (values (interval '25 hours'), (interval '23 hours')) as all_of (age)`)
          yield* rows(
            "update signal_person set named_on = current_date - 501 where email_hash = decode($1, 'hex')",
            [hashOf(1)],
          )
          yield* rows(
            "update signal_person set named_on = current_date - 502 where email_hash = decode($1, 'hex')",
            [hashOf(2)],
          )

          yield* retention.apply

          assert.strictEqual((yield* rows("select from signal_staged")).length, 1)
          const people = yield* rows<{ hash: string }>(
            "select encode(email_hash, 'hex') as hash from signal_person",
          )
          assert.deepStrictEqual(people, [{ hash: hashOf(1) }])
        }),
      ),
    limit,
  )
})

describe("the signals of a pixel's topic rules", () => {
  it.live(
    "replace the whole day, with the highest score per key and without erased people",
    () =>
      withTopics(
        Effect.gen(function* () {
          const store = yield* Signals
          const tombstones = yield* Tombstones
          yield* tombstones.leave([{ organizationId: otherOrganizationId, emailHash: hashOf(9) }])
          const day = {
            organizationId: otherOrganizationId,
            origin: "pixel",
            date: daysAgo(1),
          } as const
          const said = (person: number, score: number) => signal(1, person, score, day.date)
          yield* store.replaceDay({ ...day, signals: [said(1, 50), said(2, 60), said(2, 40)] })
          const line = (person: number, score: number) =>
            `${otherOrganizationId} pixel ${day.date} 1 ${score} ${hashOf(person)}`
          assert.deepStrictEqual((yield* stateOf).signals, [line(1, 50), line(2, 60)])

          const next = { ...day, signals: [said(2, 70), said(3, 80), said(9, 90)] }
          yield* store.replaceDay(next)
          yield* store.replaceDay(next)

          assert.deepStrictEqual(yield* stateOf, {
            signals: [line(2, 70), line(3, 80)],
            dates: [`${otherOrganizationId} pixel ${day.date} 2`],
            days: [],
          })
          const named = yield* rows(
            "select from signal_person where email_hash = decode($1, 'hex')",
            [hashOf(9)],
          )
          assert.strictEqual(named.length, 0)
          yield* store.replaceDay({ ...day, signals: [] })
          assert.deepStrictEqual(yield* stateOf, { signals: [], dates: [], days: [] })
        }),
      ),
    limit,
  )
})

describe("the data date", () => {
  it.live(
    "is the newest imported one within 30 days, otherwise the pixel's newest, otherwise today",
    () =>
      withTopics(
        Effect.gen(function* () {
          const store = yield* Signals
          const today = daysAgo(0)
          const at = store.dataDate(otherOrganizationId)
          assert.deepStrictEqual(yield* at, { date: daysAgo(0), hasSignals: false, today })

          yield* sendSignals([signal(1, 1, 10, daysAgo(31))])
          assert.deepStrictEqual(yield* at, { date: daysAgo(0), hasSignals: false, today })
          yield* store.replaceDay({
            organizationId: otherOrganizationId,
            origin: "pixel",
            date: daysAgo(40),
            signals: [signal(1, 1, 10, daysAgo(40))],
          })
          assert.deepStrictEqual(yield* at, { date: daysAgo(40), hasSignals: true, today })
          yield* sendSignals([signal(1, 1, 10, daysAgo(30))])
          assert.deepStrictEqual(yield* at, { date: daysAgo(30), hasSignals: true, today })
          yield* sendSignals([signal(1, 1, 10, daysAgo(5))], other)
          assert.deepStrictEqual(yield* at, { date: daysAgo(5), hasSignals: true, today })
          assert.deepStrictEqual(yield* store.dataDate(sharedOrganizationId), {
            date: daysAgo(30),
            hasSignals: true,
            today,
          })
        }),
      ),
    limit,
  )
})
