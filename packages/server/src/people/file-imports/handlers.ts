// Maps requests and responses to the FileImports service; decides nothing.
import { rejectedHeader, rejectedText } from "@footfall/normal-form/reading"
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Caller } from "../../access/caller.ts"
import { footfall } from "../../platform/http/contract.ts"
import { success } from "../../platform/http/envelope.ts"
import { notFound, refuse } from "../../platform/http/errors.ts"
import {
  cursorRefused,
  listMetaOf,
  pageSizeDefault,
  positionOf,
} from "../../platform/http/lists.ts"
import { allowLongBody } from "../../platform/http/parser-errors.ts"
import { bodyBytesPerSecondMin, busy, closeConnection, paced } from "../imports/body.ts"
import { formatOf } from "../imports/handlers.ts"
import type { ImportRefused } from "../imports/import-refused.ts"
import { writesBusy } from "../suppression/handlers.ts"
import type { ImportKindName, ImportMode } from "./plan.ts"
import { ImportUndo, type NotUndoable } from "./undo.ts"
import type { AppliedRow } from "../suppression/origin-store.ts"
import { type RuleType, ruleTypes, totalOf } from "../suppression/rule.ts"
import { busy as listsBusy, full } from "../lists/handlers.ts"
import { FileImportsApi } from "./api.ts"
import { ImportApplication, type ImportGuarded } from "./application.ts"
import { FileImports, type FilePlan } from "./file-imports.ts"
import type { FileFigures } from "./import-file.ts"

export const FileImportsHandlers = HttpApiBuilder.group(
  footfall.add(FileImportsApi),
  "fileImports",
  Effect.fn(function* (handlers) {
    const imports = yield* FileImports
    const application = yield* ImportApplication
    const undoing = yield* ImportUndo
    return handlers
      .handle(
        "list",
        Effect.fnUntraced(
          function* ({ params, query }) {
            const { organizationId } = yield* Caller
            const limit = query.limit ?? pageSizeDefault
            const position = yield* positionOf(query)
            const page = yield* undoing.list(organizationId, params.kind, { position, limit })
            return yield* success(page.rows.map(appliedOf), listMetaOf(page, limit, "fileImports"))
          },
          Effect.catchTag("CursorRefused", cursorRefused),
        ),
      )
      .handle(
        "undo",
        Effect.fnUntraced(
          function* ({ params: { importId, kind } }) {
            return yield* success(yield* undoing.undo(yield* Caller, kind, importId.toLowerCase()))
          },
          Effect.catchTags({
            ImportNotFound: () => notFound,
            ListFull: full,
            ListsBusy: listsBusy,
            NotUndoable: notUndoable,
            RuleWritesBusy: writesBusy,
          }),
        ),
      )
      .handleRaw(
        "plan",
        Effect.fnUntraced(function* ({ params, query, request }) {
          const author = yield* Caller
          const listId = yield* listOf(params.kind, query)
          const types = yield* typesOf(query.types)
          const format = yield* formatOf(request)
          allowLongBody(request.source)
          const plan = yield* imports
            .stage({
              author,
              kind: params.kind,
              mode: query.mode ?? "add",
              listId,
              note: query.note,
              importId: query.importId?.toLowerCase(),
              input: paced(request.stream),
              reading: {
                name: query.name ?? "the file",
                format,
                type: query.type,
                column: query.column,
                hasHeader: query.header === undefined ? undefined : query.header === "true",
                types,
              },
            })
            .pipe(
              Effect.catchTags({
                ImportNotFound: () => Effect.andThen(closeConnection, notFound),
                ImportRefused: refused,
                ListFull: (error) => Effect.andThen(closeConnection, full(error)),
                BodySlow: () =>
                  tooSlow(
                    `The body arrived at less than ${bodyBytesPerSecondMin} bytes per second for 30 seconds.`,
                  ),
                PlaceLost: () =>
                  tooSlow("The body arrived slowly while other imports were waiting."),
                ImportsBusy: busy,
                HttpServerError: () => bodyRefused("The body ended early. Nothing was changed."),
                SqlError: Effect.die,
              }),
            )
          return yield* success(wireOf(plan))
        }),
      )
      .handle(
        "apply",
        Effect.fnUntraced(function* ({ params, payload }) {
          const { importId, ...allowed } = payload
          return yield* success(
            yield* application
              .apply(yield* Caller, params.kind, importId.toLowerCase(), allowed)
              .pipe(
                Effect.catchTags({
                  ImportNotFound: () => notFound,
                  ImportGuarded: guarded,
                  ListFull: full,
                  ListsBusy: listsBusy,
                  RuleWritesBusy: writesBusy,
                  ListChanged: () =>
                    refuse({
                      code: "LIST_CHANGED",
                      message: "The list has changed since the plan. Nothing was changed.",
                    }),
                }),
              ),
          )
        }),
      )
      .handle(
        "rejected",
        Effect.fnUntraced(function* ({ params, query }) {
          const { organizationId } = yield* Caller
          const rows = yield* imports
            .rejected(organizationId, params.kind, params.importId.toLowerCase(), query.file)
            .pipe(Effect.catchTags({ ImportNotFound: () => notFound, SqlError: Effect.die }))
          const lines = Stream.map(rows, (page) =>
            page
              .map(({ message, ...row }) =>
                rejectedText(message === null ? row : { ...row, message }),
              )
              .join(""),
          )
          const text = Stream.concat(Stream.succeed(rejectedHeader), lines)
          return HttpServerResponse.stream(
            Stream.orDie(Stream.encodeText(text)) as Stream.Stream<Uint8Array>,
            {
              contentType: "text/csv; charset=utf-8",
              headers: {
                "content-disposition": `attachment; filename="rejected.csv"`,
                "cache-control": "no-store",
              },
            },
          )
        }),
      )
      .handle(
        "drop",
        Effect.fnUntraced(function* ({ params }) {
          const { organizationId } = yield* Caller
          yield* imports
            .drop(organizationId, params.kind, params.importId.toLowerCase())
            .pipe(Effect.catchTags({ ImportNotFound: () => notFound, SqlError: Effect.die }))
          return yield* success({ dropped: true as const })
        }),
      )
  }),
)

/** Parameters that say what rules are. A list says that itself. */
const ofRules = ["type", "types"] as const

/** A file for a list names it, unless it joins a plan. */
const listOf = Effect.fnUntraced(function* (
  kind: ImportKindName,
  query: {
    readonly list?: string | undefined
    readonly importId?: string | undefined
    readonly type?: RuleType | undefined
    readonly types?: string | undefined
  },
) {
  if (kind === "suppression-rules") {
    return query.list === undefined
      ? undefined
      : yield* wrongParameter("list", "Expected no list for suppression rules, received one.")
  }
  const needless = ofRules.find((name) => query[name] !== undefined)
  if (needless !== undefined) {
    const message = `Expected no ${needless} for a list, because a list has one kind of values.`
    return yield* wrongParameter(needless, message)
  }
  if (query.list === undefined && query.importId === undefined) {
    return yield* wrongParameter("list", "Expected the id of a list, received none.")
  }
  return query.list?.toLowerCase()
})

const wrongParameter = (name: string, message: string) =>
  refuse({
    code: "VALIDATION_ERROR",
    message,
    details: { issues: [{ path: `/query/${name}`, code: "format", message }] },
  })

/** Types separated by commas. */
const typesOf = Effect.fnUntraced(function* (given: string | undefined) {
  if (given === undefined) return undefined
  const words = [...new Set(given.split(",").map((word) => word.trim()))]
  const types = words.flatMap((word) => ruleTypes.filter((type) => type === word))
  if (types.length === words.length) return types
  const message = `Expected one or more of ${ruleTypes.join(", ")}, separated by commas, received "${given.slice(0, 80)}".`
  return yield* refuse({
    code: "VALIDATION_ERROR",
    message,
    details: {
      issues: [{ path: "/query/types", code: "enum", message, allowed: [...ruleTypes] }],
    },
  })
})

const wireOf = ({ affected, changes, files, rejectedRows, ...plan }: FilePlan) => {
  const rows = sumOf(files, (file) => file.rows)
  const rejected = sumOf(files, (file) => file.rejected)
  const rules = totalOf(changes.inFile)
  const added = totalOf(changes.new)
  const reasons = new Map<string, number>()
  for (const { rejectedByReason } of files) {
    for (const [reason, rows] of Object.entries(rejectedByReason)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + rows)
    }
  }
  return {
    ...plan,
    rows,
    rules,
    new: added,
    present: plan.mode === "remove" ? totalOf(changes.removed) : rules - added,
    removed: totalOf(changes.removed),
    rejected,
    repeated: rows - rejected - rules,
    byType: {
      rules: changes.inFile,
      new: changes.new,
      removed: changes.removed,
      rejected: Object.fromEntries(
        ruleTypes.map((type) => [type, sumOf(files, (file) => file.rejectedByType[type] ?? 0)]),
      ) as Record<RuleType, number>,
      stored: changes.stored,
    },
    files: files.map(({ name, reading, rejected, rows }) => ({ name, reading, rows, rejected })),
    rejectedByReason: Array.from(reasons, ([reason, rows]) => ({ reason, rows })),
    rejectedRows: rejectedRows.map(({ message, ...row }) =>
      message === null ? row : { ...row, message },
    ),
    freeMailDomains: [...new Set(files.flatMap(({ freeMailDomains }) => freeMailDomains))],
    affected,
  }
}

const appliedOf = ({
  createdKey: _,
  id,
  kind,
  mode,
  organizationId: _of,
  ...applied
}: AppliedRow) => ({
  importId: id,
  kind: kind as ImportKindName, // Only these are stored.
  mode: mode as ImportMode,
  ...applied,
})

const notUndoable = ({ reason }: NotUndoable) =>
  refuse({
    code: "CONFLICT",
    message:
      reason === "undone"
        ? "The import was undone before. Nothing was changed."
        : "An import can be undone for 7 days, and this one is older. Nothing was changed.",
  })

const sumOf = (files: ReadonlyArray<FileFigures>, of: (file: FileFigures) => number): number =>
  files.reduce((sum, file) => sum + of(file), 0)

/** Stops reading. */
const tooSlow = (message: string) =>
  Effect.andThen(
    closeConnection,
    refuse({
      code: "REQUEST_TIMEOUT",
      message: `${message} Nothing was changed. Send the file again.`,
    }),
  )

const bodyRefused = (message: string, details: Readonly<Record<string, unknown>> = {}) =>
  Effect.andThen(
    closeConnection,
    refuse({
      code: "VALIDATION_ERROR",
      message,
      details: { issues: [{ path: "/body", code: "format", message }], ...details } as never,
    }),
  )

const refused = ({ code, details = {}, message }: ImportRefused) => {
  if (code === undefined) return bodyRefused(message, details)
  if (code === "NOT_FOUND") return Effect.andThen(closeConnection, notFound)
  return Effect.andThen(closeConnection, refuse({ code, message, details }))
}

const guarded = ({ present, reason, removals }: ImportGuarded) =>
  refuse({
    code: "IMPORT_GUARDED",
    message: guardTexts.get(reason)!(removals, present),
    details: { reason, removals, present },
  })

const guardTexts: ReadonlyMap<string, (removals: number, present: number) => string> = new Map(
  Object.entries({
    empty: () => "A file has no rows. Nothing was changed. If that is right, send allowEmpty.",
    no_rules: () => "The file has rows, but no valid value. Nothing was changed.",
    other_types: (removals: number, present: number) =>
      `${removals} of ${present} rules would be removed, because the file has other types than the list. Nothing was changed. To confirm, send allowRemovals ${removals}.`,
    most: (removals: number, present: number) =>
      `${removals} of ${present} values would be removed. Nothing was changed. To confirm, send allowRemovals ${removals}.`,
    removals: (removals: number) =>
      `${removals} values would be removed, which is more than allowRemovals. Nothing was changed.`,
  }),
)
