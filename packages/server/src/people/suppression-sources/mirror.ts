// Makes the rules of a source what the source has now (spec 5.21.6), in one transaction that only the worker who holds the
// sync can commit. Removing most of many rules waits for a member's approval.
import { Context, Effect, Layer, Schema } from "effect"
import { Audit } from "../../access/audit/audit.ts"
import type { Author } from "../../access/audit/store.ts"
import { type Claim, ClaimLost } from "../../platform/jobs/queue.ts"
import { guardOf } from "../file-imports/plan.ts"
import { FileImportStore } from "../file-imports/store.ts"
import { ListStore } from "../lists/store.ts"
import { RuleWrites } from "../suppression/rule-writes.ts"
import { totalOf } from "../suppression/rule.ts"
import { countsOf, noRules, SuppressionStore } from "../suppression/store.ts"
import { MirrorStore, type Wanted } from "./mirror-store.ts"
import type { LastSync, Validators } from "./source.ts"
import { type Attention, SourceStore, type SyncRow } from "./store.ts"

/** A member changed, paused or deleted the source while it was read, so what was read is not used. */
export class SourceChanged extends Schema.TaggedError<SourceChanged>()("SourceChanged", {}) {}

const make = Effect.gen(function* () {
  const store = yield* MirrorStore
  const sources = yield* SourceStore
  const staging = yield* FileImportStore
  const rules = yield* SuppressionStore
  const lists = yield* ListStore
  const writes = yield* RuleWrites
  const audit = yield* Audit

  /**
   * Syncs a source with what it has now. `importId`: its staged file. Returns what happened; nothing is done half.
   * Errors: ClaimLost, SourceChanged, RuleWritesBusy.
   */
  const sync = Effect.fn("Mirror.sync")(function* (
    claim: Claim,
    source: SyncRow,
    wanted: Wanted,
    validators: Validators | null,
  ) {
    const { id: sourceId, organizationId } = source
    const key = { organizationId, sourceId }
    const syncing = lists.transaction(
      Effect.gen(function* () {
        if (!(yield* sources.lockForSync(source))) return yield* new SourceChanged()
        const at = yield* rules.lock(organizationId)
        yield* staging.allowTime
        const counts = yield* store.compared(key, wanted)
        yield* store.prepare(counts.wanted + counts.had)
        const isNew = counts.wanted - counts.common
        const removals = counts.had - counts.common
        const attention = yield* attentionOf(source, wanted, counts)
        if (attention !== null) {
          yield* settled(claim, {
            lastSync: outcomeOf("needs_attention", { isNew, removals }),
            status: "needs_attention",
            attention,
          })
          return
        }
        if (isNew > 0) yield* store.note(key, wanted)
        const removed = removals === 0 ? noRules : yield* store.forget(key, wanted, at)
        const added = yield* store.enforce(key, at)
        yield* rules.recount(organizationId, { added, removed }, at)
        if (totalOf(added) + totalOf(removed) > 0) {
          yield* audit.record(systemOf(organizationId), "suppression_source.synced", sourceId)
        }
        const isSame = isNew + removals === 0
        yield* settled(claim, {
          lastSync: outcomeOf(isSame ? "unchanged" : "synced", { isNew, removals }),
          status: "active",
          attention: null,
          synced: { rules: counts.wanted, validators, listVersion: source.listVersion },
        })
        if (typeof wanted === "object" && "importId" in wanted) yield* staging.end(wanted.importId)
      }),
    )
    yield* writes.run(organizationId, syncing)
  })

  /** The fence: what a worker did that has lost its lease meanwhile is undone. */
  const settled = Effect.fnUntraced(function* (...settled: Parameters<typeof sources.settle>) {
    if (!(yield* sources.settle(...settled))) return yield* new ClaimLost()
  })

  /** What stands in the way of a sync, unless a member has approved it. */
  const attentionOf = Effect.fnUntraced(function* (
    source: SyncRow,
    wanted: Wanted,
    counts: { readonly wanted: number; readonly common: number; readonly had: number },
  ) {
    const removals = counts.had - counts.common
    if (removals === 0 || wanted === "as before") return null
    if (source.approvedRemovals !== null && removals <= source.approvedRemovals) return null
    const files =
      typeof wanted === "object" && "importId" in wanted
        ? ((yield* staging.find(source.organizationId, wanted.importId))?.files ?? [])
        : []
    // The guard of imports counts by type. A source has no list of its own to compare types with.
    const [type = "email"] = source.types
    const of = (rows: number) => countsOf([{ type, rows }])
    const guard = guardOf("replace", null, files, {
      inFile: of(counts.wanted),
      new: of(counts.wanted - counts.common),
      removed: of(removals),
      stored: of(counts.had),
    })
    // A list may be emptied on purpose.
    if (guard === null || (source.kind === "list" && guard.reason !== "most")) return null
    return { reason: guard.reason, removals, present: counts.had } satisfies Attention
  })

  /** Removes the rules of a source, or keeps them, before it is deleted. In the caller's transaction. */
  const leave = Effect.fnUntraced(function* (
    { organizationId, sourceId }: { readonly organizationId: string; readonly sourceId: string },
    what: "keep" | "remove",
  ) {
    const key = { organizationId, sourceId }
    const at = yield* rules.lock(organizationId)
    yield* staging.allowTime
    if (what === "keep") return yield* store.keep(key)
    const removed = yield* store.forget(key, "nothing", at)
    yield* rules.recount(organizationId, { removed }, at)
  })

  return { sync, leave }
})

const outcomeOf = (
  outcome: LastSync["outcome"],
  { isNew, removals }: { readonly isNew: number; readonly removals: number },
) => ({ outcome, new: isNew, removed: removals, errorCode: null, errorMessage: null })

const systemOf = (organizationId: string): Author => ({
  organizationId,
  actor: { type: "system" },
})

export class Mirror extends Context.Service<Mirror, Effect.Success<typeof make>>()(
  "@footfall/server/suppression-sources/Mirror",
) {
  static readonly layer = Layer.effect(Mirror, make)
}
