// Stages what a source has now (spec 5.21.6), piece by piece while it arrives: each piece is one short transaction in a fair
// turn, so a slow source holds neither a connection nor the turn of a member's import, and memory does not grow with it.
import { Effect, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { Copy, type CopyConnection } from "../../platform/database/copy.ts"
import { makePartyTurns } from "../../platform/jobs/fair-turns.ts"
import { plain } from "../file-imports/file-imports.ts"
import { ImportFile } from "../file-imports/import-file.ts"
import { FileImportStore } from "../file-imports/store.ts"
import type { ImportStep } from "../imports/import-kind.ts"
import { ImportRefused } from "../imports/import-refused.ts"
import { SuppressionStore } from "../suppression/store.ts"
import { MirrorStore } from "./mirror-store.ts"
import { type SourceContent, SourceFailed } from "./source.ts"
import type { SyncRow } from "./store.ts"

/** Bytes read without a pause, in which the server answers other requests. */
const pieceBytes = 16_384

/** Syncs that write at the same time. The others go on reading. */
const turns = {
  turns: 3,
  turnsOfOne: 1,
  wait: "10 minutes",
  busy: () =>
    new SourceFailed({
      code: "SERVICE_BUSY",
      message: "Other syncs were in progress. The sync is tried again soon.",
    }),
} as const

export const makeSourceStaging = Effect.gen(function* () {
  const copy = yield* Copy
  const files = yield* FileImportStore
  const mirrors = yield* MirrorStore
  const rules = yield* SuppressionStore
  const random = yield* SecureRandom.SecureRandom
  const writing = yield* makePartyTurns(turns)

  /** Reads a file as every import does. Returns the id of the staged import, which ends with the scope. */
  const stage = Effect.fn("SourceStaging.stage")(function* (
    { column, id: sourceId, name, organizationId, types }: SyncRow,
    { format, input }: Extract<SourceContent, { readonly is: "file" }>,
  ) {
    const importId = yield* Effect.acquireRelease(random.uuidV4(), (id) =>
      Effect.ignore(files.end(id)),
    )
    yield* mirrors.stage({ organizationId, sourceId }, importId, types)
    // Of the transaction in progress: there is one at a time.
    let connection: CopyConnection | undefined
    const reading = {
      name,
      format,
      types,
      subject: null,
      hasHeader: undefined,
      type: types.length === 1 ? types[0] : undefined,
      column: column ?? undefined,
    }
    const file = new ImportFile(reading, {
      importId,
      file: 0,
      hold: mirrors.hold,
      addFile: files.addFile,
      into: (...copied) => connection!.into(...copied),
    })
    const commit = (steps: ReadonlyArray<ImportStep>) =>
      Effect.forEach(
        steps,
        (step) =>
          writing.run(
            organizationId,
            Effect.scoped(
              Effect.gen(function* () {
                connection = yield* copy.connect
                yield* connection.transaction(step)
              }),
            ),
          ),
        { discard: true },
      )
    yield* Stream.runForEach(plain(input, name), (chunk) =>
      Effect.gen(function* () {
        for (let at = 0; at < chunk.length; at += pieceBytes) {
          yield* Effect.yieldNow
          yield* commit(yield* steps(() => file.push(chunk.subarray(at, at + pieceBytes))))
        }
      }),
    )
    yield* commit(yield* steps(file.end))
    yield* commit(yield* file.last)
    const settling = rules.transaction(Effect.andThen(files.prepare, files.settle(importId)))
    yield* writing.run(organizationId, settling)
    return importId
  })

  return {
    stage,
    /** Runs an effect that writes, in a turn of the organization. */
    inTurn: writing.run,
  }
})

const steps = (read: () => ReadonlyArray<ImportStep>) =>
  Effect.try({ try: read, catch: (error) => error }).pipe(
    // Anything else it throws is a bug.
    Effect.catch((error) =>
      error instanceof ImportRefused ? Effect.fail(error) : Effect.die(error),
    ),
  )
