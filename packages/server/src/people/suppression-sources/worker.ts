// Syncs sources when they are due (spec 5.21.5): one at a time in a process, in fair turns, at least once. A worker that
// loses its lease changes nothing.
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Claim } from "../../platform/jobs/queue.ts"
import { every } from "../../platform/jobs/every.ts"
import { work } from "../../platform/jobs/worker.ts"
import { DataKeys } from "../../platform/secrets/data-keys.ts"
import { plain } from "../file-imports/file-imports.ts"
import { ImportFile } from "../file-imports/import-file.ts"
import { FileImportStore } from "../file-imports/store.ts"
import { Imports } from "../imports/imports.ts"
import { SuppressionStore } from "../suppression/store.ts"
import { openHeaders } from "./headers.ts"
import { Mirror } from "./mirror.ts"
import { MirrorStore } from "./mirror-store.ts"
import { type SourceContent, SourceFailed, SourceKinds, syncQueue } from "./source.ts"
import { SourceStore, type SyncRow } from "./store.ts"

/** How late a change of a list may be noticed. */
const noticeInterval = "5 seconds"

export const SourceWorker = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* SourceStore
    const kinds = yield* SourceKinds
    const mirror = yield* Mirror
    const mirrors = yield* MirrorStore
    const staging = yield* FileImportStore
    const imports = yield* Imports
    const rules = yield* SuppressionStore
    const dataKeys = yield* DataKeys
    const random = yield* SecureRandom.SecureRandom

    const synced = Effect.fnUntraced(function* (claim: Claim, source: SyncRow) {
      const { kind, listId, types } = source
      if (kind === "list") {
        if (listId === null) return yield* new SourceFailed(listGone)
        return yield* mirror.sync(claim, source, { listId, types }, null)
      }
      const content = yield* kinds[kind].read({
        ...source,
        headers: yield* openHeaders(dataKeys, source, source.headers),
      })
      return content.is === "unchanged"
        ? yield* mirror.sync(claim, source, "as before", source.validators)
        : yield* mirrorFile(claim, source, content)
    }, Effect.scoped)

    /** Reads a file as every import does, and mirrors it while it is staged. */
    const mirrorFile = Effect.fnUntraced(function* (
      claim: Claim,
      source: SyncRow,
      { format, input, validators }: Extract<SourceContent, { readonly is: "file" }>,
    ) {
      const { column, id: sourceId, name, organizationId, types } = source
      const importId = yield* random.uuidV4()
      yield* imports
        .stage({
          organizationId,
          input: plain(input, name),
          open: Effect.fnUntraced(function* (connection) {
            yield* mirrors.stage({ organizationId, sourceId }, importId, types)
            const reading = {
              name,
              format,
              types,
              subject: null,
              hasHeader: undefined,
              type: types.length === 1 ? types[0] : undefined,
              column: column ?? undefined,
            }
            return new ImportFile(reading, {
              importId,
              file: 0,
              into: connection.into,
              ...staging,
            })
          }),
          done: Effect.gen(function* () {
            yield* rules.transaction(Effect.andThen(staging.prepare, staging.settle(importId)))
            yield* mirror.sync(claim, source, { importId }, validators)
          }),
        })
        .pipe(Effect.ensuring(Effect.ignore(staging.end(importId))))
    })

    const perform = Effect.fnUntraced(function* (claim: Claim) {
      const source = yield* store.findSync(claim)
      if (source === undefined) return
      yield* synced(claim, source).pipe(
        Effect.catchTags({
          SourceFailed: (failure) => failed(claim, failure),
          ImportRefused: ({ code = "FILE_UNREADABLE", message }) =>
            failed(claim, { code, message }),
          ImportsBusy: () => failed(claim, busy),
          PlaceLost: () => failed(claim, busy),
          RuleWritesBusy: () => failed(claim, busy),
          ClaimLost: () => Effect.void,
        }),
      )
    })

    const failed = (claim: Claim, error: { readonly code: string; readonly message: string }) =>
      rules.transaction(store.fail(claim, error))

    yield* every(noticeInterval, "noticing changes of lists failed", store.noticeLists)
    yield* work({
      queue: syncQueue,
      jobs: store.jobs,
      atOnce: 1,
      claim: store.claim,
      perform,
      fail: (claim) => failed(claim, unexpected),
    })
  }),
)

const busy = {
  code: "SERVICE_BUSY",
  message: "Other imports were in progress. The sync is tried again soon.",
}

const unexpected = {
  code: "INTERNAL_ERROR",
  message: "The sync failed. It is tried again soon.",
}

const listGone = { code: "LIST_GONE", message: "The list was deleted." }
