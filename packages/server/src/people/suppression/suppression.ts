// An organization's suppression rules (spec 2.6, 5.5). Its writes run one after another; each is atomic and includes
// its audit entry. Rules take effect with the next sync cycle (cycle/).
import { Context, Effect, Layer, Schema } from "effect"
import type { Author } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import type { CursorRefused } from "../../platform/lists/cursor.ts"
import { KeyedLists, type ListPage, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { type RuleCounts, type RuleType, ruleTypes, totalOf } from "./rule.ts"
import { OriginStore } from "./origin-store.ts"
import { RuleWrites, type RuleWritesBusy } from "./rule-writes.ts"
import { type RuleFilter, type RuleNames, type RuleRow, SuppressionStore } from "./store.ts"
import { readSubmission, type Submission } from "./submission.ts"

export class RuleNotFound extends Schema.TaggedError<RuleNotFound>()("RuleNotFound", {}) {}

// spec 2.6.12
export interface BulkWrite extends Pick<Submission, "rejected" | "rejectedCount"> {
  readonly added: number
  readonly removed: number
  readonly duplicates: number
  readonly total: number
}

export interface Deletion {
  readonly deleted: number
  readonly total: number
}

export interface RuleList extends ListPage<RuleRow> {
  /** Counts of the whole list. */
  readonly counts: RuleCounts
}

export class Suppression extends Context.Service<
  Suppression,
  {
    /** Adds missing rules. Guarantee: adding the same rows twice equals adding them once. */
    add(
      author: Author,
      rows: ReadonlyArray<unknown>,
      note?: string | null,
    ): Effect.Effect<BulkWrite, RuleWritesBusy>
    /** The same within the caller's transaction, which waits for other writes in the database. */
    addWithin(author: Author, rows: ReadonlyArray<unknown>): Effect.Effect<BulkWrite>
    /**
     * Replaces the rules, limited to `types` if given.
     *
     * *Guarantee*: of two concurrent replacements, exactly one list remains; if the process is killed, the old list
     * remains.
     */
    replace(
      author: Author,
      rows: ReadonlyArray<unknown>,
      types: ReadonlyArray<RuleType> | undefined,
      note?: string | null,
    ): Effect.Effect<BulkWrite, RuleWritesBusy>
    /** Removes the named rules; unknown ids and values are skipped. */
    remove(author: Author, names: RuleNames): Effect.Effect<Deletion, RuleWritesBusy>
    /** Removes one rule. Fails with RuleNotFound for an unknown id. */
    removeOne(
      author: Author,
      ruleId: string,
    ): Effect.Effect<Deletion, RuleNotFound | RuleWritesBusy>
    /** Newest first. The page's total counts the rules that match the filter. */
    list(
      filter: RuleFilter,
      options: { readonly position: ListPosition; readonly limit: number },
    ): Effect.Effect<RuleList, CursorRefused>
  }
>()("@footfall/server/suppression/Suppression") {
  static readonly layer = Layer.effect(
    Suppression,
    Effect.gen(function* () {
      const store = yield* SuppressionStore
      const origins = yield* OriginStore
      const audit = yield* Audit
      const lists = yield* KeyedLists
      const writes = yield* RuleWrites

      const written = (
        { rejected, rejectedCount, repeated, rules }: Submission,
        added: number,
        rest: Omit<BulkWrite, "added" | "duplicates" | "rejected" | "rejectedCount">,
      ): BulkWrite => ({
        ...rest,
        added,
        duplicates: repeated + rules.length - added,
        rejectedCount,
        rejected,
      })

      const addWithin = Effect.fnUntraced(function* (
        author: Author,
        submission: Submission,
        note: string | null = null,
      ) {
        const { organizationId } = author
        const insert = store.insertion(organizationId, submission.rules)
        const write = Effect.gen(function* () {
          const at = yield* store.lock(organizationId)
          const added = yield* insert(at, origins.ofMember(author, note))
          const counts = yield* store.recount(organizationId, { added }, at)
          if (totalOf(added) > 0) yield* audit.record(author, "suppression_rules.added", null)
          return written(submission, totalOf(added), { removed: 0, total: totalOf(counts) })
        })
        return yield* store.transaction(write)
      })

      const add = Effect.fn("Suppression.add")(function* (
        author: Author,
        rows: ReadonlyArray<unknown>,
        note: string | null = null,
      ) {
        const submission = readSubmission(rows)
        return yield* writes.run(author.organizationId, addWithin(author, submission, note))
      })

      const replace = Effect.fn("Suppression.replace")(function* (
        author: Author,
        rows: ReadonlyArray<unknown>,
        types: ReadonlyArray<RuleType> | undefined,
        note: string | null = null,
      ) {
        const { organizationId } = author
        const submission = readSubmission(rows, types)
        const insert = store.insertion(organizationId, submission.rules)
        const write = Effect.gen(function* () {
          const at = yield* store.lock(organizationId)
          const removed = yield* store.removeTypes(organizationId, types ?? ruleTypes, at)
          const added = yield* insert(at, origins.ofMember(author, note))
          const counts = yield* store.recount(organizationId, { added, removed }, at)
          yield* audit.record(author, "suppression_rules.replaced", null)
          const rest = { removed: totalOf(removed), total: totalOf(counts) }
          return written(submission, totalOf(added), rest)
        })
        return yield* writes.run(organizationId, store.transaction(write))
      })

      const removeNamed = Effect.fnUntraced(function* (
        author: Author,
        names: RuleNames,
        targetId: string | null,
      ) {
        const { organizationId } = author
        const write = Effect.gen(function* () {
          const at = yield* store.lock(organizationId)
          const removed = yield* store.removeNamed(organizationId, names, at)
          const counts = yield* store.recount(organizationId, { removed }, at)
          const deleted = totalOf(removed)
          if (deleted > 0) yield* audit.record(author, "suppression_rules.removed", targetId)
          return { deleted, total: totalOf(counts) }
        })
        return yield* writes.run(organizationId, store.transaction(write))
      })

      const removeOne = Effect.fn("Suppression.removeOne")(function* (
        author: Author,
        ruleId: string,
      ) {
        const deletion = yield* removeNamed(author, { ids: [ruleId], rules: [] }, ruleId)
        return deletion.deleted === 0 ? yield* new RuleNotFound() : deletion
      })

      const list = Effect.fn("Suppression.list")(function* (
        filter: RuleFilter,
        options: { readonly position: ListPosition; readonly limit: number },
      ) {
        const { organizationId, originId, text, type } = filter
        const { counts } = yield* store.state(organizationId)
        const known = type === undefined ? totalOf(counts) : counts[type]
        const page = yield* lists.page<RuleRow>(
          {
            organizationId,
            route,
            filters: [type ?? null, text ?? null, originId ?? null],
            ...options,
          },
          {
            rows: (start, limit) => store.list(filter, start, limit),
            count: () =>
              text === undefined && originId === undefined
                ? Effect.succeed(known)
                : store.countFiltered(filter),
            keyOf: ({ createdAt, id }) => [createdAt, id],
          },
        )
        return { ...page, counts }
      })

      return Suppression.of({
        add,
        addWithin: (author, rows) => addWithin(author, readSubmission(rows)),
        replace,
        remove: (author, names) => removeNamed(author, names, null),
        removeOne,
        list,
      })
    }),
  )
}

const route = "GET /v1/data/suppression-rules"
