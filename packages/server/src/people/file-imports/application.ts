// Applies an import that was planned (spec 5.16.6): all of it in one transaction, with its audit entry, or nothing.
import { Context, Effect, Layer, Schema } from "effect"
import { Audit } from "../../access/audit/audit.ts"
import type { Author } from "../../access/audit/store.ts"
import { valuesMax } from "../lists/list.ts"
import { ListFull, Lists } from "../lists/lists.ts"
import { ListStore } from "../lists/store.ts"
import { OriginStore } from "../suppression/origin-store.ts"
import { RuleWrites } from "../suppression/rule-writes.ts"
import { type RuleCounts, ruleTypes, totalOf } from "../suppression/rule.ts"
import { noRules as none, SuppressionStore } from "../suppression/store.ts"
import { ImportChangesStore, type ImportTarget } from "./changes-store.ts"
import { ErasedValues } from "./erased-values.ts"
import { ImportNotFound } from "./file-imports.ts"
import { type Allowed, guardOf, type ImportKindName, isAllowed } from "./plan.ts"
import { FileImportStore, type StagedImport, type StoredPlan, targetOf } from "./store.ts"

/** The guard of the plan stands in the way, or more would be removed than allowed. */
export class ImportGuarded extends Schema.TaggedError<ImportGuarded>()("ImportGuarded", {
  reason: Schema.String,
  removals: Schema.Int,
  present: Schema.Int,
}) {}

/** The list has changed since the plan. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {}

/** A plan that may be applied. */
interface Planned extends StagedImport {
  readonly plan: StoredPlan
}

interface Applied {
  readonly added: RuleCounts
  readonly removed: RuleCounts
  /** Rules, or values of the list, after it. */
  readonly total: number
}

const make = Effect.gen(function* () {
  const store = yield* FileImportStore
  const changesStore = yield* ImportChangesStore
  const rules = yield* SuppressionStore
  const writes = yield* RuleWrites
  const lists = yield* ListStore
  const { inTurn } = yield* Lists
  const erased = yield* ErasedValues
  const origins = yield* OriginStore
  const audit = yield* Audit

  const apply = Effect.fn("ImportApplication.apply")(function* (
    author: Author,
    kind: ImportKindName,
    id: string,
    allowed: Allowed,
  ) {
    const { organizationId } = author
    const application = lists.transaction(
      Effect.gen(function* () {
        const { plan, ...found } = yield* allowedImport(organizationId, kind, id, allowed)
        const planned = { ...found, plan }
        const target = targetOf(organizationId, found)
        const { list } = target
        const { added, removed, total } =
          list === null
            ? yield* applyToRules(author, planned)
            : yield* applyToList(author, planned, target, list)
        if (totalOf(added) + totalOf(removed) > 0) {
          const { files, listId, mode, note } = found
          yield* origins.addImport({
            author,
            id,
            kind,
            listId,
            mode,
            note,
            name: nameOf(files),
            added: totalOf(added),
            removed: totalOf(removed),
          })
        }
        yield* store.end(id)
        return { added: totalOf(added), removed: totalOf(removed), total }
      }),
    )
    return kind === "lists"
      ? yield* inTurn(organizationId, application)
      : yield* writes.run(organizationId, application)
  })

  /** Locks a waiting import. */
  const allowedImport = Effect.fnUntraced(function* (
    organizationId: string,
    kind: ImportKindName,
    id: string,
    allowed: Allowed,
  ) {
    const found = yield* store.find(organizationId, id, { isLocked: true })
    if (found === undefined || found.plan === null || found.kind !== kind) {
      return yield* new ImportNotFound()
    }
    const { files, mode, plan, types } = found
    const { changes } = plan
    const removals = totalOf(changes.removed)
    const guard = guardOf(mode, types, files, changes)
    if (!isAllowed(guard, removals, allowed)) {
      return yield* new ImportGuarded({
        reason: guard?.reason ?? "removals",
        removals,
        present: guard?.present ?? totalOf(changes.stored),
      })
    }
    return { ...found, plan }
  })

  /** A database that crashed has forgotten the rows. Only what was planned may be applied. */
  const checkStaged = Effect.fnUntraced(function* ({ id, plan }: Planned) {
    if ((yield* store.count(id)) !== plan.rules) return yield* new ImportNotFound()
  })

  const applyToRules = Effect.fnUntraced(function* (author: Author, planned: Planned) {
    const { organizationId } = author
    const { id, mode, plan, types } = planned
    const at = yield* rules.lock(organizationId)
    yield* store.prepare
    if (mode === "replace" && !(yield* isSameList(organizationId, plan))) {
      return yield* new ListChanged()
    }
    yield* checkStaged(planned)
    const removed =
      mode === "add"
        ? none
        : yield* changesStore.removeRules(
            organizationId,
            id,
            types ?? ruleTypes,
            mode === "remove",
            at,
          )
    if (mode !== "remove") yield* changesStore.holdRules(organizationId, id)
    const added = mode === "remove" ? none : yield* changesStore.insertRules(organizationId, id, at)
    const counts = yield* rules.recount(organizationId, { added, removed }, at)
    if (totalOf(added) + totalOf(removed) > 0) {
      yield* audit.record(author, `suppression_rules.${actions[mode]}`, null)
    }
    return { added, removed, total: totalOf(counts) } satisfies Applied
  })

  /** `lock` leaves the version as it was, unless it was the first write, which gives the empty list one. */
  const isSameList = (organizationId: string, { changes, listVersion }: StoredPlan) =>
    Effect.map(
      rules.state(organizationId),
      ({ counts, version }) =>
        version === listVersion || totalOf(counts) + totalOf(changes.stored) === 0,
    )

  const applyToList = Effect.fnUntraced(function* (
    author: Author,
    planned: Planned,
    target: ImportTarget,
    list: NonNullable<ImportTarget["list"]>,
  ) {
    const { organizationId } = author
    const { id, mode, plan } = planned
    // So that no erasure is in progress.
    if (list.type === "email") yield* lists.waitForTurn(organizationId)
    const locked = yield* lists.lock({ organizationId, id: list.id }, "change")
    if (locked === undefined) return yield* new ImportNotFound()
    if (mode === "replace" && locked.version !== plan.listVersion) return yield* new ListChanged()
    yield* store.allowTime
    yield* checkStaged(planned)
    yield* erased.reject(organizationId, planned)
    yield* store.prepare
    const removed =
      mode === "add" ? none : yield* changesStore.removeMembers(target, list, id, mode === "remove")
    if (mode !== "remove") yield* changesStore.holdMembers(list, id)
    const added = mode === "remove" ? none : yield* changesStore.insertMembers(target, list, id)
    const size = locked.size + totalOf(added) - totalOf(removed)
    if (size > valuesMax) return yield* new ListFull({ size })
    if (totalOf(added) + totalOf(removed) > 0) {
      yield* lists.resize(locked, size)
      yield* audit.record(author, "list.members_changed", list.id)
    }
    return { added, removed, total: size } satisfies Applied
  })

  return { apply }
})

/** The files' names, as one text. */
const nameOf = (files: StagedImport["files"]): string => {
  const [{ name } = { name: "" }] = files
  return files.length === 1 ? name : `${name} and ${files.length - 1} more`
}

const actions = { add: "added", replace: "replaced", remove: "removed" } as const

export class ImportApplication extends Context.Service<
  ImportApplication,
  Effect.Success<typeof make>
>()("@footfall/server/file-imports/ImportApplication") {
  static readonly layer = Layer.effect(ImportApplication, make)
}
