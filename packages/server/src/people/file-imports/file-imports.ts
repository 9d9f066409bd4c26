// Imports of suppression rules and lists from files (spec 5.16): a file is staged and answered as a plan, which is applied
// in one transaction (application.ts) or dropped. Nothing changes before that, so an import that breaks off is sent again.
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Author } from "../../access/audit/store.ts"
import { every } from "../../platform/jobs/every.ts"
import { ImportRefused } from "../imports/import-refused.ts"
import { Imports } from "../imports/imports.ts"
import { unpacked } from "../imports/unpacked.ts"
import { valuesMax } from "../lists/list.ts"
import { ListFull } from "../lists/lists.ts"
import { ListStore } from "../lists/store.ts"
import { type AffectedPerson, MatchingStore } from "../suppression/matching/store.ts"
import { OriginStore } from "../suppression/origin-store.ts"
import { type RuleCounts, type RuleType, ruleTypes, totalOf } from "../suppression/rule.ts"
import { noRules as none, SuppressionStore } from "../suppression/store.ts"
import { ImportChangesStore, type ImportTarget } from "./changes-store.ts"
import { ErasedValues } from "./erased-values.ts"
import {
  type FileLayout,
  ImportFile,
  importEnded,
  type ReadingOptions,
  typeOfSubject,
} from "./import-file.ts"
import { type Changes, type Guard, guardOf, type ImportKindName, type ImportMode } from "./plan.ts"
import {
  FileImportStore,
  type RejectedRow,
  type StagedImport,
  subjectOf,
  targetOf,
} from "./store.ts"

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

export interface FilePlan extends Omit<StagedImport, "plan" | "id"> {
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

export interface StageRequest<E> {
  readonly author: Author
  readonly kind: ImportKindName
  readonly mode: ImportMode
  readonly reading: Omit<ReadingOptions, "subject">
  /** The list that is changed; undefined for suppression rules, and for a file that joins a plan. */
  readonly listId: string | undefined
  readonly note: string | undefined
  /** A waiting import that the file belongs to; undefined begins one. */
  readonly importId: string | undefined
  readonly input: Stream.Stream<Uint8Array, E>
}

const make = Effect.gen(function* () {
  const store = yield* FileImportStore
  const changesStore = yield* ImportChangesStore
  const rules = yield* SuppressionStore
  const lists = yield* ListStore
  const erased = yield* ErasedValues
  const matching = yield* MatchingStore
  const imports = yield* Imports
  const random = yield* SecureRandom.SecureRandom

  /** The waiting import that the file belongs to, and the file's place in it. */
  const opened = Effect.fnUntraced(function* <E>(request: StageRequest<E>) {
    const { author, importId, kind, mode, reading } = request
    const { organizationId } = author
    if (importId === undefined) {
      const listId = request.listId ?? null
      const list = listId === null ? null : yield* lists.find({ organizationId, id: listId })
      if (list === undefined) return undefined
      const id = yield* random.uuidV4()
      const types = list === null ? reading.types : [typeOfSubject[list.subject]]
      const note = request.note ?? null
      yield* store.create(organizationId, id, { kind, listId, mode, note, types: types ?? null })
      return { id, file: 0, types, subject: list?.subject ?? null }
    }
    const found = yield* store.find(organizationId, importId)
    if (found?.kind !== kind || found.files.length >= filesMax) return undefined
    const file = found.files.length
    // A process that was killed may have left part of a file there.
    yield* forget(importId, file)
    const types = found.types ?? undefined
    return { id: importId, file, types, subject: subjectOf(found) }
  })

  const forget = (id: string, file: number) =>
    rules.transaction(Effect.andThen(store.allowTime, store.forgetFiles(id, file)))

  const stage = Effect.fn("FileImports.stage")(function* <E>(request: StageRequest<E>) {
    const { organizationId } = request.author
    let place: { readonly id: string; readonly file: number } | undefined
    let importFile: ImportFile | undefined
    return yield* imports
      .stage({
        organizationId,
        input: plain(request.input, request.reading.name),
        // In the organization's turn, so two files of an import never have the same place.
        open: Effect.fnUntraced(function* (connection) {
          const found = yield* opened(request)
          if (found === undefined) return yield* importEnded
          const { file, id, subject, types } = found
          place = { id, file }
          const target = { importId: id, file, into: connection.into, ...store }
          importFile = new ImportFile({ ...request.reading, types, subject }, target)
          return importFile
        }),
        // Comparing millions of rules takes long, so an organization makes one plan at a time.
        done: Effect.suspend(() =>
          Effect.map(plan(organizationId, place!.id), (made) => ({
            ...made,
            layout: importFile!.layout,
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

  const plan = Effect.fn("FileImports.plan")(function* (organizationId: string, id: string) {
    yield* rules.transaction(Effect.andThen(store.prepare, store.settle(id)))
    const waiting = yield* store.find(organizationId, id)
    if (waiting === undefined) return yield* new ImportNotFound()
    yield* erased.reject(organizationId, waiting)
    // With what was rejected just now.
    const found = (yield* store.find(organizationId, id)) ?? waiting
    const { files, mode, types } = found
    const compared = types ?? ruleTypes
    const isStaged = mode === "remove"
    const target = targetOf(organizationId, found)
    const made = lists.transaction(
      Effect.gen(function* () {
        yield* store.prepare
        const { stored, version } = yield* state(target)
        const { inFile, stored: present } = yield* changesStore.compared(target, id)
        const removed =
          mode === "add"
            ? none
            : isStaged
              ? present
              : yield* changesStore.missing(target, id, compared)
        const changes: Changes = {
          inFile,
          new: isStaged ? none : minus(inFile, present),
          removed,
          stored,
        }
        const size = totalOf(stored) + totalOf(changes.new) - totalOf(removed)
        if (target.list !== null && size > valuesMax) return yield* new ListFull({ size })
        const sample = {
          new: totalOf(changes.new) === 0 ? [] : yield* changesStore.someNew(target, id),
          removed:
            totalOf(removed) === 0
              ? []
              : yield* changesStore.someRemoved(target, id, compared, isStaged),
        }
        const promised = { rules: totalOf(inFile), listVersion: version, changes }
        yield* store.putPlan(id, promised)
        return { changes, sample, listVersion: version }
      }),
    )
    const { changes, listVersion, sample } = yield* made
    const isCounted =
      target.list === null && mode === "add" && totalOf(changes.inFile) <= affectedRulesMax
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
    } satisfies Omit<FilePlan, "layout">
  })

  /** What is stored now, and its version. */
  const state = Effect.fnUntraced(function* ({ list, organizationId }: ImportTarget) {
    if (list === null) {
      const { counts, version } = yield* rules.state(organizationId)
      return { stored: counts, version }
    }
    const found = yield* lists.find({ organizationId, id: list.id })
    if (found === undefined) return yield* new ImportNotFound()
    return { stored: { ...none, [list.type]: found.size }, version: found.version }
  })

  const affected = (organizationId: string, id: string) =>
    Effect.map(
      rules.transaction(
        Effect.andThen(store.allowTime, matching.affectedByStaged(organizationId, id)),
      ),
      ({ affectedVisitors: visitors, sample, ...byType }) => ({ visitors, byType, sample }),
    )

  const drop = Effect.fn("FileImports.drop")(function* (
    organizationId: string,
    kind: ImportKindName,
    id: string,
  ) {
    const found = yield* store.find(organizationId, id)
    if (found === undefined || found.kind !== kind) return yield* new ImportNotFound()
    yield* store.end(id)
  })

  /** The rejected rows of a waiting import, in pages. `file`: its position; undefined means all files. */
  const rejected = Effect.fn("FileImports.rejected")(function* (
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

  return { stage, drop, rejected }
})

const minus = (all: RuleCounts, some: RuleCounts): RuleCounts => ({
  email: all.email - some.email,
  domain: all.domain - some.domain,
  company_domain: all.company_domain - some.company_domain,
  industry: all.industry - some.industry,
})

/** Unpacks gzip. Errors of the stream stay what they are. */
export const plain = <E>(
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

export class FileImports extends Context.Service<FileImports, Effect.Success<typeof make>>()(
  "@footfall/server/file-imports/FileImports",
) {
  static readonly layer = Layer.effect(FileImports, make)
}

/** How long rows stay after their import has ended, at most. */
const sweepInterval = "30 seconds"

/** Deletes what imports that were applied, dropped or forgotten left behind, and what can't be undone anymore. */
export const FileImportsWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sweep } = yield* FileImportStore
    const origins = yield* OriginStore
    for (const swept of [sweep, origins.sweep]) {
      yield* every(
        sweepInterval,
        "sweeping imports failed",
        Effect.repeat(swept, { while: (hasMore) => hasMore }),
      )
    }
  }),
)
