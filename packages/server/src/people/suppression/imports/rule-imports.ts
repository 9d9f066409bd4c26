// Imports of suppression rules from files (spec 5.16): a file is staged and answered as a plan, which is applied in one
// transaction or dropped. Nothing changes before that, so an import that breaks off is sent again.
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Audit } from "../../../access/audit/audit.ts"
import type { Author } from "../../../access/audit/store.ts"
import { ImportRefused } from "../../imports/import-refused.ts"
import { Imports } from "../../imports/imports.ts"
import { unpacked } from "../../imports/unpacked.ts"
import { every } from "../../../platform/jobs/every.ts"
import { type AffectedPerson, MatchingStore } from "../matching/store.ts"
import { type RuleCounts, type RuleType, ruleTypes, totalOf } from "../rule.ts"
import { RuleWrites } from "../rule-writes.ts"
import { SuppressionStore } from "../store.ts"
import {
  type Allowed,
  type Changes,
  type Guard,
  guardOf,
  type ImportKindName,
  type ImportMode,
  isAllowed,
} from "./plan.ts"
import { type FileLayout, importEnded, type ReadingOptions, RuleFile } from "./rule-file.ts"
import { type RejectedRow, RuleImportStore, type StagedImport, type StoredPlan } from "./store.ts"

/** Files of one import. */ // spec 10.3
const filesMax = 100
/** A plan counts the people of at most this many rules. */ // spec 5.16
const affectedRulesMax = 100_000
/** Rejected rows that a plan lists. */ // spec 2.6
const rejectedMax = 100
/** Rejected rows read at once for the file. */
const rejectedPerPage = 1_000

/** The import was applied or dropped, is older than an hour, or never was. */
export class ImportNotFound extends Schema.TaggedError<ImportNotFound>()("ImportNotFound", {}) {}

/** The guard of the plan stands in the way, or more rules would be removed than allowed. */
export class ImportGuarded extends Schema.TaggedError<ImportGuarded>()("ImportGuarded", {
  reason: Schema.String,
  removals: Schema.Int,
  present: Schema.Int,
}) {}

/** The list has changed since the plan. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {}

export interface RulePlan extends Omit<StagedImport, "plan" | "id"> {
  readonly importId: string
  readonly changes: Changes
  readonly guard: Guard | null
  readonly listVersion: string
  /** How the file of this request was read. */
  readonly layout: FileLayout | null
  readonly rejectedRows: ReadonlyArray<RejectedRow>
  readonly sample: {
    readonly new: ReadonlyArray<{ readonly type: RuleType; readonly value: string }>
    readonly removed: ReadonlyArray<{ readonly type: RuleType; readonly value: string }>
  }
  /** Null above 100,000 rules, and if nothing would be added. */
  readonly affected: {
    readonly visitors: number
    readonly byType: RuleCounts
    readonly sample: ReadonlyArray<AffectedPerson>
  } | null
}

export interface AppliedImport {
  readonly added: number
  readonly removed: number
  readonly total: number
}

export interface StageRequest<E> {
  readonly author: Author
  readonly kind: ImportKindName
  readonly mode: ImportMode
  readonly reading: ReadingOptions
  /** A waiting import that the file belongs to; undefined begins one. */
  readonly importId: string | undefined
  readonly input: Stream.Stream<Uint8Array, E>
}

const make = Effect.gen(function* () {
  const store = yield* RuleImportStore
  const rules = yield* SuppressionStore
  const writes = yield* RuleWrites
  const matching = yield* MatchingStore
  const imports = yield* Imports
  const audit = yield* Audit
  const random = yield* SecureRandom.SecureRandom

  /** The waiting import that the file belongs to, and the file's place in it. */
  const opened = Effect.fnUntraced(function* <E>({
    author,
    importId,
    kind,
    mode,
    reading,
  }: StageRequest<E>) {
    const { organizationId } = author
    if (importId === undefined) {
      const id = yield* random.uuidV4()
      yield* store.create(organizationId, id, { kind, mode, types: reading.types ?? null })
      return { id, file: 0, types: reading.types }
    }
    const found = yield* store.find(organizationId, importId)
    if (found?.kind !== kind || found.files.length >= filesMax) return undefined
    const file = found.files.length
    // A process that was killed may have left part of a file there.
    yield* forget(importId, file)
    return { id: importId, file, types: found.types ?? undefined }
  })

  const forget = (id: string, file: number) =>
    rules.transaction(Effect.andThen(store.allowTime, store.forgetFiles(id, file)))

  const stage = Effect.fn("RuleImports.stage")(function* <E>(request: StageRequest<E>) {
    const { organizationId } = request.author
    let place: { readonly id: string; readonly file: number } | undefined
    let ruleFile: RuleFile | undefined
    return yield* imports
      .stage({
        organizationId,
        input: plain(request.input, request.reading.name),
        // In the organization's turn, so two files of an import never have the same place.
        open: Effect.fnUntraced(function* (connection) {
          const found = yield* opened(request)
          if (found === undefined) return yield* importEnded
          const { file, id, types } = found
          place = { id, file }
          const target = { importId: id, file, into: connection.into, ...store }
          ruleFile = new RuleFile({ ...request.reading, types }, target)
          return ruleFile
        }),
        // Comparing millions of rules takes long, so an organization makes one plan at a time.
        done: Effect.suspend(() =>
          Effect.map(plan(organizationId, place!.id), (made) => ({
            ...made,
            layout: ruleFile!.layout,
          })),
        ),
      })
      // Part of a file is no file, and an import without a file is none. Earlier files stay.
      .pipe(
        Effect.onError(() => {
          if (place === undefined) return Effect.void
          const { file, id } = place
          return Effect.ignore(
            Effect.flatMap(store.endBeyond(id, file), (isEnded) =>
              isEnded ? Effect.void : forget(id, file),
            ),
          )
        }),
      )
  })

  const plan = Effect.fn("RuleImports.plan")(function* (organizationId: string, id: string) {
    yield* rules.transaction(Effect.andThen(store.prepare, store.settle(id)))
    const found = yield* store.find(organizationId, id)
    if (found === undefined) return yield* new ImportNotFound()
    const { files, mode, types } = found
    const compared = types ?? ruleTypes
    const isStaged = mode === "remove"
    const made = rules.transaction(
      Effect.gen(function* () {
        yield* store.prepare
        const { counts: stored, version } = yield* rules.state(organizationId)
        const { inFile, stored: present } = yield* store.compared(organizationId, id)
        const removed =
          mode === "add"
            ? none
            : isStaged
              ? present
              : yield* store.missing(organizationId, id, compared)
        const changes: Changes = {
          inFile,
          new: isStaged ? none : minus(inFile, present),
          removed,
          stored,
        }
        const sample = {
          new: totalOf(changes.new) === 0 ? [] : yield* store.someNew(organizationId, id),
          removed:
            totalOf(removed) === 0
              ? []
              : yield* store.someRemoved(organizationId, id, compared, isStaged),
        }
        const promised = { rules: totalOf(inFile), listVersion: version, changes }
        yield* store.putPlan(id, promised)
        return { changes, sample, listVersion: version }
      }),
    )
    const { changes, listVersion, sample } = yield* made
    const isCounted = mode === "add" && totalOf(changes.inFile) <= affectedRulesMax
    const { id: importId, plan: _, ...rest } = found
    return {
      ...rest,
      importId,
      changes,
      listVersion,
      sample,
      guard: guardOf(mode, types, files, changes),
      rejectedRows: yield* store.rejected(id, { file: -1, line: 0 }, rejectedMax),
      affected:
        isCounted && totalOf(changes.inFile) > 0 ? yield* affected(organizationId, id) : null,
    } satisfies Omit<RulePlan, "layout">
  })

  const affected = (organizationId: string, id: string) =>
    Effect.map(
      rules.transaction(
        Effect.andThen(store.allowTime, matching.affectedByStaged(organizationId, id)),
      ),
      ({ affectedVisitors: visitors, sample, ...byType }) => ({ visitors, byType, sample }),
    )

  const apply = Effect.fn("RuleImports.apply")(function* (
    author: Author,
    kind: ImportKindName,
    id: string,
    allowed: Allowed,
  ) {
    const { organizationId } = author
    const application = rules.transaction(
      Effect.gen(function* () {
        const found = yield* store.find(organizationId, id, { isLocked: true })
        if (found === undefined || found.plan === null || found.kind !== kind) {
          return new ImportNotFound()
        }
        const { files, mode, plan, types } = found
        const { changes } = plan
        const removals = totalOf(changes.removed)
        const guard = guardOf(mode, types, files, changes)
        if (!isAllowed(guard, removals, allowed)) {
          return new ImportGuarded({
            reason: guard?.reason ?? "removals",
            removals,
            present: guard?.present ?? totalOf(changes.stored),
          })
        }
        const at = yield* rules.lock(organizationId)
        yield* store.prepare
        if (mode === "replace" && !(yield* isSameList(organizationId, plan))) {
          return new ListChanged()
        }
        // A database that crashed has forgotten the rows. Only the list that was planned may be applied.
        if ((yield* store.count(id)) !== plan.rules) return new ImportNotFound()
        const compared = types ?? ruleTypes
        const removed =
          mode === "add"
            ? none
            : yield* store.remove(organizationId, id, compared, mode === "remove", at)
        const added = mode === "remove" ? none : yield* store.insert(organizationId, id, at)
        const counts = yield* rules.recount(organizationId, { added, removed }, at)
        if (totalOf(added) + totalOf(removed) > 0) {
          yield* audit.record(author, `suppression_rules.${actions[mode]}`, null)
        }
        yield* store.end(id)
        return { added: totalOf(added), removed: totalOf(removed), total: totalOf(counts) }
      }),
    )
    const outcome = yield* writes.run(organizationId, application)
    if (outcome instanceof Error) return yield* outcome
    return outcome
  })

  /** `lock` leaves the version as it was, unless it was the first write, which gives the empty list one. */
  const isSameList = (organizationId: string, { changes, listVersion }: StoredPlan) =>
    Effect.map(
      rules.state(organizationId),
      ({ counts, version }) =>
        version === listVersion || totalOf(counts) + totalOf(changes.stored) === 0,
    )

  const drop = Effect.fn("RuleImports.drop")(function* (
    organizationId: string,
    kind: ImportKindName,
    id: string,
  ) {
    const found = yield* store.find(organizationId, id)
    if (found === undefined || found.kind !== kind) return yield* new ImportNotFound()
    yield* store.end(id)
  })

  /** The rejected rows of a waiting import, in pages. `file`: its position; undefined means all files. */
  const rejected = Effect.fn("RuleImports.rejected")(function* (
    organizationId: string,
    kind: ImportKindName,
    id: string,
    file: number | undefined,
  ) {
    const found = yield* store.find(organizationId, id)
    if (found?.kind !== kind || (file ?? -1) >= found.files.length) {
      return yield* new ImportNotFound()
    }
    return Stream.paginate({ file: file ?? -1, line: file === undefined ? 0 : -1 }, (after) =>
      Effect.map(store.rejected(id, after, rejectedPerPage, file), (page) => {
        const isLast = page.length < rejectedPerPage
        return [[page], isLast ? Option.none() : Option.fromUndefinedOr(page.at(-1))] as const
      }),
    )
  })

  return { stage, apply, drop, rejected }
})

const none: RuleCounts = { email: 0, domain: 0, company_domain: 0, industry: 0 }

const minus = (all: RuleCounts, some: RuleCounts): RuleCounts => ({
  email: all.email - some.email,
  domain: all.domain - some.domain,
  company_domain: all.company_domain - some.company_domain,
  industry: all.industry - some.industry,
})

const actions = { add: "added", replace: "replaced", remove: "removed" } as const

/** Unpacks gzip. Errors of the stream stay what they are. */
const plain = <E>(
  input: Stream.Stream<Uint8Array, E>,
  name: string,
): Stream.Stream<Uint8Array, E | ImportRefused> =>
  Stream.unwrap(
    Effect.map(Stream.toAsyncIterableEffect(input), (bytes) =>
      Stream.fromAsyncIterable(unpacked(bytes), (error) => {
        const damage = gzipDamages.get((error as { readonly code?: string } | null)?.code ?? "")
        return damage === undefined
          ? (error as E)
          : new ImportRefused({
              message: `${name} ${damage}.`,
              details: { hint: "Create the file again." },
            })
      }),
    ),
  )

const gzipDamages: ReadonlyMap<string, string> = new Map([
  ["Z_BUF_ERROR", "ends in the middle of its gzip data"],
  ["Z_DATA_ERROR", "has damaged gzip data"],
])

export class RuleImports extends Context.Service<RuleImports, Effect.Success<typeof make>>()(
  "@footfall/server/suppression/RuleImports",
) {
  static readonly layer = Layer.effect(RuleImports, make)
}

/** How long rows stay after their import has ended, at most. */
const sweepInterval = "30 seconds"

/** Deletes what imports that were applied, dropped or forgotten left behind. */
export const RuleImportsWorker = Layer.effectDiscard(
  Effect.flatMap(RuleImportStore, ({ sweep }) =>
    every(
      sweepInterval,
      "sweeping staged imports failed",
      Effect.repeat(sweep, { while: (hasMore) => hasMore }),
    ),
  ),
)
