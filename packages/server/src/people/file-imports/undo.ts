// Undoes an import that was applied, once and within 7 days (spec 5.16.10), in one transaction with its audit entry.
import { Context, Effect, Layer, Schema } from "effect"
import { Audit } from "../../access/audit/audit.ts"
import type { Author } from "../../access/audit/store.ts"
import { KeyedLists, type ListPosition } from "../../platform/lists/keyed-lists.ts"
import { valuesMax } from "../lists/list.ts"
import { ListFull, Lists } from "../lists/lists.ts"
import { ListStore } from "../lists/store.ts"
import { type AppliedRow, OriginStore } from "../suppression/origin-store.ts"
import { RuleWrites } from "../suppression/rule-writes.ts"
import { totalOf } from "../suppression/rule.ts"
import { SuppressionStore } from "../suppression/store.ts"
import { ImportNotFound } from "./file-imports.ts"
import type { ImportKindName } from "./plan.ts"
import { FileImportStore } from "./store.ts"
import { ImportUndoStore } from "./undo-store.ts"

/** `undone`: it was undone before. `too_old`: more than 7 days ago. */
export class NotUndoable extends Schema.TaggedError<NotUndoable>()("NotUndoable", {
  reason: Schema.Literals(["undone", "too_old"]),
}) {}

const make = Effect.gen(function* () {
  const store = yield* ImportUndoStore
  const staging = yield* FileImportStore
  const origins = yield* OriginStore
  const rules = yield* SuppressionStore
  const writes = yield* RuleWrites
  const lists = yield* ListStore
  const { inTurn } = yield* Lists
  const pages = yield* KeyedLists
  const audit = yield* Audit

  const undo = Effect.fn("ImportUndo.undo")(function* (
    author: Author,
    kind: ImportKindName,
    id: string,
  ) {
    const { organizationId } = author
    const undoing = lists.transaction(
      Effect.gen(function* () {
        const found = yield* origins.lockImport(organizationId, kind, id)
        if (found === undefined) return yield* new ImportNotFound()
        if (found.undoableUntil === null) {
          return yield* new NotUndoable({
            reason: found.undoneAt === null ? "too_old" : "undone",
          })
        }
        const result =
          found.listId === null
            ? yield* undoRules(author, id)
            : yield* undoMembers(author, found, found.listId)
        yield* origins.undone(organizationId, id)
        return result
      }),
    )
    return kind === "lists"
      ? yield* inTurn(organizationId, undoing)
      : yield* writes.run(organizationId, undoing)
  })

  const undoRules = Effect.fnUntraced(function* (author: Author, id: string) {
    const { organizationId } = author
    const at = yield* rules.lock(organizationId)
    yield* staging.allowTime
    yield* store.passToSources(organizationId, id)
    const removed = yield* store.retractRules(organizationId, id, at)
    const added = yield* store.returnRules(organizationId, id, at)
    const counts = yield* rules.recount(organizationId, { added, removed }, at)
    yield* audit.record(author, "suppression_rules.import_undone", id)
    return { added: totalOf(added), removed: totalOf(removed), total: totalOf(counts) }
  })

  const undoMembers = Effect.fnUntraced(function* (
    author: Author,
    { id }: AppliedRow,
    listId: string,
  ) {
    const { organizationId } = author
    // So that no erasure is in progress, which would take someone out of what returns.
    yield* lists.waitForTurn(organizationId)
    const locked = yield* lists.lock({ organizationId, id: listId }, "change")
    if (locked === undefined) return yield* new ImportNotFound()
    yield* staging.allowTime
    const removed = yield* store.retractMembers(listId, id)
    const added = yield* store.returnMembers(organizationId, listId, id)
    const size = locked.size + added - removed
    if (size > valuesMax) return yield* new ListFull({ size })
    yield* lists.resize(locked, size)
    yield* audit.record(author, "list.import_undone", listId)
    return { added, removed, total: size }
  })

  /** Imports that were applied, newest first. Errors: CursorRefused. */
  const list = (
    organizationId: string,
    kind: ImportKindName,
    options: { readonly position: ListPosition; readonly limit: number },
  ) =>
    pages.page(
      { organizationId, route: "GET /v1/data/import/{kind}", filters: [kind], ...options },
      origins.imports(organizationId, kind),
    )

  return { undo, list }
})

export class ImportUndo extends Context.Service<ImportUndo, Effect.Success<typeof make>>()(
  "@footfall/server/file-imports/ImportUndo",
) {
  static readonly layer = Layer.effect(ImportUndo, make)
}
