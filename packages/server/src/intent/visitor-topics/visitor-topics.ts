// Finds the topics of visitors, so that rules can test them (spec 3.3): for everyone when a data date has new signals, and
// for visitors who changed within seconds. Signals are read block by block and compared with the numbers of visitors in
// memory, in turns of about a tenth of a second, by one process at a time. A round that fails is begun again.
import { Clock, Context, Effect, Layer } from "effect"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { type TurnBounds, TurnSizes } from "../../platform/database/turn-size.ts"
import { every } from "../../platform/jobs/every.ts"
import { DataVersions } from "../../people/imports/data-versions.ts"
import { Tombstones } from "../../people/person/tombstones/tombstones.ts"
import { RemoteSignals } from "../signals/remote-signals-store.ts"
import { type PickedVisitors, VisitorNumberStore } from "./people-store.ts"
import {
  type Hits,
  type NumberPlace,
  type SignalBlock,
  type SignalPage,
  VisitorTopicRowStore,
} from "./rows-store.ts"
import {
  firstSignal,
  type Round,
  type SignalCursor,
  type Source,
  VisitorTopicStore,
} from "./store.ts"

/** The duration that turns aim at. Units: milliseconds, like all durations here. */
const aimedAtMs = 100
/** A pass starts no further turn after this. Between passes, half of the time is left to others. */
const passMax = 2_000
/** Numbers of visitors read at once. */
const numbersAtOnce = 20_000
/** Rows that a turn deletes or changes at most. */
const rowsMax = 5_000

const bounds = {
  people: { least: 20, first: 200, most: 5_000, aimedAtMs },
  signals: { least: 500, first: 20_000, most: 500_000, aimedAtMs },
} satisfies Readonly<Record<string, TurnBounds>>

/** A round that reads signals. */
type Reading = Round & { readonly source: Source }

const make = Effect.gen(function* () {
  const store = yield* VisitorTopicStore
  const people = yield* VisitorNumberStore
  const rows = yield* VisitorTopicRowStore
  const tombstones = yield* Tombstones
  const versions = yield* DataVersions
  const remote = yield* RemoteSignals
  const sizes = { people: new TurnSizes(bounds.people), signals: new TurnSizes(bounds.signals) }
  /** The visitors' numbers of the round and source that were read last. */
  let known = { of: "", numbers: new NumberSet([]) }

  /** The addresses of visitors, without those of erased people and what only these lead to. */
  const addressesOf = Effect.fnUntraced(function* (
    picked: PickedVisitors,
    erased: ReadonlyArray<string> = [],
  ): Effect.fn.Return<
    ReadonlyArray<{ readonly visitorId: string; readonly hashes: ReadonlyArray<string> }>,
    DatabaseError
  > {
    const found = yield* people.addresses(picked, erased)
    const { organizationId } = picked
    const others = [...new Set(found.flatMap((visitor) => visitor.others))]
    const gone = yield* tombstones.among(others.map((emailHash) => ({ organizationId, emailHash })))
    if (gone.length > 0) {
      return yield* addressesOf(picked, [...erased, ...gone.map(({ emailHash }) => emailHash)])
    }
    return found.map(({ others, own, visitorId }) => ({ visitorId, hashes: [...own, ...others] }))
  })

  /** The next visitors of the round; undefined at the end. */
  const pick = (round: Round, limit: number) => {
    if (round.source !== null) return people.next(round.source.organizationId, round, limit)
    return round.organizationId === null
      ? people.nextStale(round, limit)
      : people.next(round.organizationId, round, limit)
  }

  const peopleTurn = Effect.fnUntraced(function* (round: Round) {
    const turnSize = sizes.people.of("")
    const begun = yield* Clock.currentTimeMillis
    const picked = yield* pick(round, turnSize.next)
    if (picked === undefined) {
      if (round.kind === "source") yield* store.moveSignals(firstSignal)
      else if (!(yield* store.nextSource(0))) yield* store.toEnd
      return
    }
    const { ids, organizationId } = picked
    const locked = yield* people.lock(picked)
    if (locked.length > 0) {
      const visitors = yield* addressesOf({ organizationId, ids: locked })
      yield* people.writeNumbers(organizationId, visitors)
    }
    yield* store.movePeople({ afterOrganization: organizationId, afterVisitor: ids.at(-1)! })
    turnSize.took(ids.length, (yield* Clock.currentTimeMillis) - begun)
  })

  const numbersOf = Effect.fnUntraced(function* (round: Reading) {
    const of = `${round.number} ${round.source.id}`
    if (known.of === of) return known.numbers
    const parts: Array<Int32Array> = []
    let after: NumberPlace | undefined
    do {
      const page = yield* rows.numbers(round, after, numbersAtOnce)
      parts.push(page.people)
      after = page.after
    } while (after !== undefined)
    known = { of, numbers: new NumberSet(parts) }
    return known.numbers
  })

  /** Undefined if the signals are no longer where they were. */
  const read = Effect.fnUntraced(function* ({ source, ...cursor }: Reading, limit: number) {
    const { generation } = source
    if (generation === null) return yield* rows.page(source, cursor, limit)
    const { place, score, topicId } = cursor
    const after = { topicId: Math.max(topicId, 0), score, person: place }
    const blocks = yield* remote?.page({ ...source, generation }, after, limit) ?? Effect.undefined
    return blocks === undefined ? undefined : remotePage(blocks, limit)
  })

  const signalsTurn = Effect.fnUntraced(function* (round: Reading) {
    const turnSize = sizes.signals.of(`${round.source.organizationId} ${round.source.origin}`)
    const numbers = yield* numbersOf(round)
    const limit = turnSize.next
    const begun = yield* Clock.currentTimeMillis
    const page = numbers.isEmpty ? nothingLeft : yield* read(round, limit)
    const hits = page === undefined ? noHits : numbers.among(page.blocks)
    const write = Effect.gen(function* () {
      if (!(yield* store.take) || !isSame(yield* store.round, round)) return
      if (page === undefined || !(yield* store.isThere(round.source))) return yield* leave(round)
      if (hits.people.length > 0) yield* rows.add(round, hits)
      if (page.next !== undefined) yield* store.moveSignals(page.next)
      else yield* endSource(round)
    })
    yield* store.transaction(write)
    const read_ = page?.blocks.reduce((sum, block) => sum + block.people.length, 0) ?? 0
    turnSize.took(read_, (yield* Clock.currentTimeMillis) - begun)
  })

  const endSource = (round: Reading) =>
    round.kind === "source" ? store.publish(round.source.id) : toNextSource(round)

  const toNextSource = Effect.fnUntraced(function* ({ source }: Reading) {
    if (!(yield* store.nextSource(source.id))) yield* store.toEnd
  })

  /** The signals were replaced: they will be read as a new source. */
  const leave = (round: Reading) => (round.kind === "source" ? store.abandon : toNextSource(round))

  const endTurn = Effect.gen(function* () {
    if ((yield* store.forgetSince(rowsMax)) < rowsMax) yield* store.endVisitors
  })

  /** One turn of the round; returns at once if another process has it. */
  const turn = (round: Round) => {
    if (round.step === "signals" && round.source !== null) {
      return signalsTurn({ ...round, source: round.source })
    }
    const work = Effect.gen(function* () {
      if (!(yield* store.take) || !isSame(yield* store.round, round)) return
      yield* round.step === "people" ? peopleTurn(round) : endTurn
    })
    return store.transaction(work)
  }

  /** A pass ends with a turn that fails: another round may come first then. */
  const orGivenUp = (effect: Effect.Effect<void, DatabaseError>) =>
    Effect.catchCause(Effect.as(effect, true), (cause) =>
      Effect.andThen(
        Effect.logError("could not find the topics of visitors", cause),
        Effect.as(store.transaction(ifMine(store.abandon)), false),
      ),
    )

  const ifMine = <A>(effect: Effect.Effect<A, DatabaseError>) =>
    Effect.flatMap(store.take, (isMine) => (isMine ? effect : Effect.undefined))

  const begin = Effect.gen(function* () {
    const version = yield* versions.current("signals")
    return (yield* store.transaction(ifMine(store.begin(version)))) === true
  })

  /** Returns whether there may be more to do. */
  const step = Effect.gen(function* () {
    const round = yield* store.round
    if (round !== undefined) return yield* orGivenUp(turn(round))
    if (yield* begin) return true
    return (yield* store.transaction(store.clean(rowsMax))) > 0
  })

  return {
    /**
     * Works until nothing is left to do, or for two seconds. Guarantee: safe in several processes; after a crash the next
     * pass goes on where the last turn ended.
     */
    pass: Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) + passMax
      yield* Effect.repeat(Effect.uninterruptible(step), {
        while: (hasMore) => Effect.map(Clock.currentTimeMillis, (now) => hasMore && now < until),
      })
    }).pipe(Effect.withSpan("VisitorTopics.pass")),
  }
})

/** A set of people's numbers: one bit per number up to the highest, 12 MB for a hundred million. */
class NumberSet {
  readonly #bits: Uint8Array
  readonly isEmpty: boolean

  constructor(parts: ReadonlyArray<Int32Array>) {
    let highest = -1
    for (const part of parts) for (const person of part) highest = Math.max(highest, person)
    this.isEmpty = highest === -1
    this.#bits = new Uint8Array((highest >> 3) + 1)
    for (const part of parts) {
      for (const person of part) this.#bits[person >> 3]! |= 1 << (person & 7)
    }
  }

  among(blocks: ReadonlyArray<SignalBlock>): Hits {
    const hits = {
      topicIds: [] as Array<number>,
      scores: [] as Array<number>,
      people: [] as Array<number>,
    }
    const bits = this.#bits
    for (const { people, score, topicId } of blocks) {
      for (const person of people) {
        // Beyond the highest number there are no bits.
        if (((bits[person >> 3] ?? 0) & (1 << (person & 7))) === 0) continue
        hits.topicIds.push(topicId)
        hits.scores.push(score)
        hits.people.push(person)
      }
    }
    return hits
  }
}

const noHits: Hits = { topicIds: [], scores: [], people: [] }
const nothingLeft: SignalPage = { blocks: [], next: undefined }

/** Signals outside Postgres come in order of people, so the last one is the place. */
const remotePage = (blocks: ReadonlyArray<SignalBlock>, limit: number): SignalPage => {
  const read = blocks.reduce((sum, { people }) => sum + people.length, 0)
  const last = blocks.at(-1)
  const next: SignalCursor | undefined =
    last === undefined || read < limit
      ? undefined
      : { topicId: last.topicId, score: last.score, place: last.people.at(-1)! }
  return { blocks, next }
}

/** Whether no other process has moved the round meanwhile. */
const isSame = (now: Round | undefined, then: Round): boolean =>
  now !== undefined &&
  now.number === then.number &&
  now.step === then.step &&
  now.source?.id === then.source?.id &&
  now.afterOrganization === then.afterOrganization &&
  now.afterVisitor === then.afterVisitor &&
  now.topicId === then.topicId &&
  now.score === then.score &&
  now.place === then.place

export class VisitorTopics extends Context.Service<VisitorTopics, Effect.Success<typeof make>>()(
  "@footfall/server/visitor-topics/VisitorTopics",
) {
  static readonly layer = Layer.effect(VisitorTopics, make)
}

/** Keeps the topics of visitors up to date. */
export const VisitorTopicsWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { pass } = yield* VisitorTopics
    yield* every("2 seconds", "could not find the topics of visitors", pass)
  }),
)
