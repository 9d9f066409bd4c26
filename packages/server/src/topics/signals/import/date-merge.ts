// Makes a date of imported signals visible, as a whole: what waits is merged into what is there, slice by
// slice, in the one transaction that this is part of. Between topics, and between the parts of a large one, it lets
// other work go on.
import { Effect } from "effect"
import type { CopyConnection } from "../../../database/copy.ts"
import type { DatabaseError } from "../../../database/database-error.ts"
import { copyBinary, copyDate, type CopyField } from "../../../people/import/copy-binary.ts"
import { sharedOrganizationId } from "../../../access/organization.ts"
import type { Changed } from "../../../people/import/import-kind.ts"
import { PeoplePart } from "./people-part.ts"
import { allTopics, countTopics, Slice, SliceRowsMax, slicesOf } from "./slice.ts"
import type { StagedEntries } from "./staged-entries.ts"
import type { ImportedDate, SignalImportStore } from "./store.ts"
import {
  type Block,
  type MergedTopic,
  mergeTopic,
  personMax,
  topicDay,
  type TopicDay,
  TopicMerge,
} from "./topic-merge.ts"

/** Signals that are merged in one go, before others get their turn: some milliseconds. Our bound. */
const goRowsMax = 20_000

export interface DateMerge extends ImportedDate {
  /** Whose signals are counted; those of others broke off before. */
  readonly importId: string
  readonly store: SignalImportStore["Service"]
  readonly copy: CopyConnection["intoBinary"]
}

interface TopicBlock extends Block {
  readonly topicId: number
}

/** What a slice changes. */
class SliceChanges {
  readonly written: Array<TopicBlock> = []
  readonly gone: Array<{ readonly topicId: number; readonly score: number }> = []
  readonly days: Array<TopicDay> = []
  inserted = 0
  updated = 0
  /** Signals more than before, those of imports that broke off too. */
  added = 0

  note(topicId: number, known: ReadonlyArray<Block>, merged: MergedTopic): void {
    for (const block of merged.written) this.written.push({ topicId, ...block })
    for (const score of merged.gone) this.gone.push({ topicId, score })
    this.days.push(topicDay(topicId, merged.blocks))
    this.inserted += merged.inserted
    this.updated += merged.updated
    this.added += countOf(merged.blocks) - countOf(known)
  }
}

const countOf = (blocks: ReadonlyArray<Block>): number =>
  blocks.reduce((sum, { people }) => sum + people.length, 0)

export const mergeDate = Effect.fnUntraced(function* (
  merge: DateMerge,
): Effect.fn.Return<Changed & { readonly hasChanged: boolean }, DatabaseError> {
  const { store } = merge
  yield* store.joinLong(merge.organizationId)
  const before = yield* store.signalsOn(merge)
  const isKnown = before !== undefined
  const total = { inserted: 0, updated: 0, signals: before ?? 0, hasChanged: false }
  for (const topics of yield* slices(merge, before ?? 0)) {
    const changes = topics.isLarge
      ? yield* changesOfLarge(merge, topics.first, isKnown)
      : yield* changesOf(merge, yield* read(merge, new Slice(topics)), isKnown)
    yield* write(merge, changes)
    total.inserted += changes.inserted
    total.updated += changes.updated
    total.signals += changes.added
    total.hasChanged ||= changes.written.length > 0
  }
  if (total.signals > 0 && total.hasChanged) yield* store.writeDate(merge, total.signals)
  yield* store.clear(merge)
  return total
})

/** `before`: signals of the date that are known. */
const slices = Effect.fnUntraced(function* (merge: DateMerge, before: number) {
  const { store } = merge
  const rowsMax = yield* SliceRowsMax
  if (before + (yield* store.stagedCount(merge)) <= rowsMax) return [allTopics]
  const counts = new Map<number, number>()
  yield* read(merge, { add: (entries) => countTopics(entries, counts) })
  for (const [topicId, known] of yield* store.signalsOf(merge, [...counts.keys()])) {
    counts.set(topicId, counts.get(topicId)! + known)
  }
  return slicesOf(counts, rowsMax)
})

interface Reader {
  add(entries: StagedEntries, of: { readonly isCounted: boolean }): void
}

/** Hands everything that is staged to the reader, in the order it came. */
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

const changesOf = Effect.fnUntraced(function* (
  { store, ...merge }: DateMerge,
  slice: Slice,
  isKnown: boolean,
) {
  const topics = slice.topics()
  const known = isKnown ? yield* store.blocks(merge, [...topics.keys()]) : new Map()
  const changes = new SliceChanges()
  let rows = 0
  for (const [topicId, said] of topics) {
    const blocks: ReadonlyArray<Block> = known.get(topicId) ?? []
    changes.note(topicId, blocks, mergeTopic(blocks, said))
    rows += said.people.length
    if (rows < goRowsMax) continue
    rows = 0
    yield* Effect.yieldNow
  }
  return changes
})

/** Of a topic that is too large to be merged at once: the topic in parts of its people. */
const changesOfLarge = Effect.fnUntraced(function* (
  merge: DateMerge,
  topicId: number,
  isKnown: boolean,
) {
  const rowsMax = Math.max(2, Math.floor((yield* SliceRowsMax) / 2))
  const blocks = isKnown ? yield* merge.store.blocks(merge, [topicId]) : undefined
  const known = blocks?.get(topicId) ?? []
  const topic = new TopicMerge(known)
  while (topic.behind < personMax) {
    const through = topic.knownThrough(rowsMax)
    const part = new PeoplePart({ topicId, behind: topic.behind, through, rowsMax })
    yield* read(merge, part)
    topic.add(part.said(), part.through)
    yield* Effect.yieldNow
  }
  const changes = new SliceChanges()
  changes.note(topicId, known, topic.end())
  return changes
})

const columns = ["organization_id", "origin", "date", "topic_id", "score", "people"]

const write = Effect.fnUntraced(function* (
  { copy, date, organizationId, store }: DateMerge,
  { days, gone, written }: SliceChanges,
) {
  if (written.length === 0) return
  if (gone.length > 0) yield* store.removeBlocks({ organizationId, date }, gone)
  const day = copyDate(date)
  const rowOf = ({ people, score, topicId }: TopicBlock): ReadonlyArray<CopyField> => [
    { uuid: organizationId },
    { text: "import" },
    day,
    { integer: topicId },
    { smallint: score },
    { integers: people },
  ]
  yield* copy({ table: "signal", columns }, copyBinary(rowsOf(written, rowOf)))
  if (organizationId === sharedOrganizationId) yield* store.writeTopicDays(date, days)
})

function* rowsOf<Value>(
  values: Iterable<Value>,
  rowOf: (value: Value) => ReadonlyArray<CopyField>,
): Iterable<ReadonlyArray<CopyField>> {
  for (const value of values) yield rowOf(value)
}
