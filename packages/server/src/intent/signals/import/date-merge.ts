// Publishes a date of imported signals as a whole: merges staged signals into the existing ones, slice by slice, in
// the caller's transaction. It yields to other work between topics and between parts of a large one.
import { Effect } from "effect"
import type { CopyConnection } from "../../../platform/database/copy.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { Changed } from "../../../people/imports/import-kind.ts"
import type { DateBlocks, RemoteSignalsStore, TopicBlock } from "../remote-signals-store.ts"
import { PeoplePart } from "./people-part.ts"
import { postgresBlocks } from "./postgres-blocks.ts"
import { allTopics, countTopics, Slice, SliceRowsMax, slicesOf } from "./slice.ts"
import type { StagedEntries } from "./staged-entries.ts"
import type { ImportedDate, SignalImportStore } from "./store.ts"
import {
  type Block,
  type MergedTopic,
  MergeRoom,
  mergeTopic,
  personMax,
  type NewSignals,
  type ScoredPeople,
  topicDay,
  type TopicDay,
  TopicMerge,
} from "./topic-merge.ts"

/** Signals merged before other work gets a turn, which takes a few milliseconds. */
const goRowsMax = 5_000

/** Approximate signals merged while Postgres writes the previous ones. */
const partRowsMax = 40_000

export interface DateMerge extends ImportedDate {
  /** The import whose signals are counted; the others were interrupted earlier. */
  readonly importId: string
  readonly store: SignalImportStore["Service"]
  readonly copy: CopyConnection["intoBinary"]
  /** Where dates outside Postgres are stored. */
  readonly remote: RemoteSignalsStore | undefined
}

/** The changes of some topics. */
class TopicChanges {
  readonly #topics: Array<{
    readonly topicId: number
    readonly people: ScoredPeople
    /** The scores of the blocks to write. */
    readonly scores: ReadonlyArray<number>
  }> = []
  readonly gone: Array<{ readonly topicId: number; readonly score: number }> = []
  readonly days: Array<TopicDay> = []
  inserted = 0
  updated = 0
  /** The increase in signals, including those of interrupted imports. */
  added = 0
  readonly #areTopicsWhole: boolean

  constructor({ areTopicsWhole }: Pick<DateBlocks, "areTopicsWhole">) {
    this.#areTopicsWhole = areTopicsWhole
  }

  get isEmpty(): boolean {
    return this.#topics.length === 0
  }

  /** Made one by one, because there are many. */
  *written(): Iterable<TopicBlock> {
    for (const { people, scores, topicId } of this.#topics) {
      for (const score of scores) yield { topicId, score, people: people.withScore(score) }
    }
  }

  note(topicId: number, known: ReadonlyArray<Block>, merged: MergedTopic): void {
    const { people, written } = merged
    if (written.length > 0) {
      const scores = this.#areTopicsWhole
        ? Array.from(people.blocks(), ({ score }) => score)
        : written
      this.#topics.push({ topicId, people, scores })
    }
    for (const score of merged.gone) this.gone.push({ topicId, score })
    this.days.push(topicDay(topicId, people))
    this.inserted += merged.inserted
    this.updated += merged.updated
    this.added += people.people.length - countOf(known)
  }
}

const countOf = (blocks: ReadonlyArray<Block>): number =>
  blocks.reduce((sum, { people }) => sum + people.length, 0)

export const mergeDate = Effect.fnUntraced(function* (
  merge: DateMerge,
): Effect.fn.Return<Changed & { readonly hasChanged: boolean }, DatabaseError> {
  const { store } = merge
  yield* store.joinLong(merge.organizationId)
  const date = (yield* openRemote(merge)) ?? (yield* postgresBlocks(merge, store, merge.copy))
  const total = { inserted: 0, updated: 0, signals: date.signals ?? 0, hasChanged: false }
  const add = (changes: TopicChanges) => {
    total.inserted += changes.inserted
    total.updated += changes.updated
    total.signals += changes.added
    total.hasChanged ||= !changes.isEmpty
  }
  for (const topics of yield* slices(merge, date)) {
    if (topics.isLarge) {
      const changes = yield* changesOfLarge(merge, date, topics.first)
      yield* write(merge, date, changes)
      add(changes)
    } else {
      yield* mergeSlice(merge, date, yield* read(merge, new Slice(topics)), add)
    }
  }
  if (total.signals > 0 && total.hasChanged) yield* date.publish(total.signals)
  yield* store.clear(merge)
  return total
})

const openRemote = ({ date, organizationId, remote }: DateMerge) =>
  remote === undefined ? Effect.undefined : remote.open({ organizationId, date })

const slices = Effect.fnUntraced(function* (merge: DateMerge, date: DateBlocks) {
  const { store } = merge
  const rowsMax = yield* SliceRowsMax
  if ((date.signals ?? 0) + (yield* store.stagedCount(merge)) <= rowsMax) return [allTopics]
  const counts = new Map<number, number>()
  yield* read(merge, { add: (entries) => countTopics(entries, counts) })
  for (const [topicId, known] of yield* date.signalsOf([...counts.keys()])) {
    counts.set(topicId, counts.get(topicId)! + known)
  }
  return slicesOf(counts, rowsMax)
})

interface Reader {
  add(entries: StagedEntries, of: { readonly isCounted: boolean }): void
}

/** Passes everything staged to the reader, in order of arrival. */
const read = Effect.fnUntraced(function* <Into extends Reader>(
  { store, ...merge }: DateMerge,
  into: Into,
) {
  let behind = -1n
  for (;;) {
    const pieces = yield* store.staged(merge, behind)
    const last = pieces.at(-1)
    if (last === undefined) return into
    for (const { entries, importId } of pieces) {
      into.add(entries, { isCounted: importId === merge.importId })
    }
    behind = last.id
  }
})

/** Part by part: the next one is merged while Postgres writes the previous one. */
const mergeSlice = Effect.fnUntraced(function* (
  merge: DateMerge,
  date: DateBlocks,
  slice: Slice,
  add: (changes: TopicChanges) => void,
) {
  const topics = slice.topics()
  const known = date.signals === undefined ? new Map() : yield* date.blocks([...topics.keys()])
  const room = new MergeRoom()
  let writing: Effect.Effect<void, DatabaseError> = Effect.void
  for (const part of partsOf(topics)) {
    const changes = new TopicChanges(date)
    yield* Effect.all([writing, mergeTopics(part, { known, changes, room })], {
      concurrency: 2,
      discard: true,
    })
    add(changes)
    writing = write(merge, date, changes)
  }
  yield* writing
})

type SignalsOfTopic = readonly [topicId: number, added: NewSignals]

const partsOf = (
  topics: Iterable<SignalsOfTopic>,
): ReadonlyArray<ReadonlyArray<SignalsOfTopic>> => {
  const parts: Array<Array<SignalsOfTopic>> = []
  let rows = Infinity
  for (const topic of topics) {
    if (rows >= partRowsMax) {
      parts.push([])
      rows = 0
    }
    parts.at(-1)!.push(topic)
    rows += topic[1].people.length
  }
  return parts
}

const mergeTopics = Effect.fnUntraced(function* (
  topics: ReadonlyArray<SignalsOfTopic>,
  {
    changes,
    known,
    room,
  }: {
    readonly known: ReadonlyMap<number, ReadonlyArray<Block>>
    readonly changes: TopicChanges
    readonly room: MergeRoom
  },
) {
  let rows = 0
  for (const [topicId, added] of topics) {
    const blocks = known.get(topicId) ?? []
    changes.note(topicId, blocks, mergeTopic(blocks, added, room))
    rows += added.people.length
    if (rows < goRowsMax) continue
    rows = 0
    yield* Effect.yieldNow
  }
})

/** Merges a topic that is too large to be merged at once, in parts of its people. */
const changesOfLarge = Effect.fnUntraced(function* (
  merge: DateMerge,
  date: DateBlocks,
  topicId: number,
) {
  const rowsMax = Math.max(2, Math.floor((yield* SliceRowsMax) / 2))
  const blocks = date.signals === undefined ? undefined : yield* date.blocks([topicId])
  const known = blocks?.get(topicId) ?? []
  const topic = new TopicMerge(known)
  while (topic.behind < personMax) {
    const through = topic.knownThrough(rowsMax)
    const part = new PeoplePart({ topicId, behind: topic.behind, through, rowsMax })
    yield* read(merge, part)
    topic.add(part.signals(), part.through)
    yield* Effect.yieldNow
  }
  const changes = new TopicChanges(date)
  changes.note(topicId, known, topic.end())
  return changes
})

const write = Effect.fnUntraced(function* (
  { date, organizationId, store }: DateMerge,
  blocks: DateBlocks,
  changes: TopicChanges,
) {
  if (changes.isEmpty) return
  yield* blocks.write({ gone: changes.gone, written: changes.written() })
  if (organizationId === sharedOrganizationId) yield* store.writeTopicDays(date, changes.days)
})
