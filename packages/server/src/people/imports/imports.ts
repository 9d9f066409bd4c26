// Imports a stream of records in steps of one transaction each. It reads the next step while the current one runs.
// Steps that need the whole input run last. If a stream breaks, committed steps stay, and sending it again changes
// only what is missing. Memory does not grow with the stream. A slow stream does not delay other imports
// (import-places.ts). Source: spec 5.14.
import { Context, Effect, Layer, Pull, Schema, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import { Copy, type CopyConnection } from "../../platform/database/copy.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import { PartyOf } from "../../platform/jobs/fair-turns.ts"
import type { ImportFormat } from "./import-format.ts"
import { ImportRefused } from "./import-refused.ts"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { Changed, ImportKind, ImportStep, OpenImport } from "./import-kind.ts"
import { ImportsStore } from "./store.ts"
import { DataVersions } from "./data-versions.ts"
import { type ImportsBusy, makeImportPlaces, type PlaceLost } from "./import-places.ts"
import type { RowCounts } from "./row-reader.ts"

/**
 * Bytes read before an import needs a place: a shorter stream needs one only for its writes. Not in the
 * specification.
 */
export const readAheadBytes = 262_144

/**
 * Bytes read without a pause. In each pause the server answers other requests and sends Postgres the next statement of
 * the current step; reading a whole chunk at once takes 3 ms.
 */
const unpausedBytes = 16_384

/** How long an import waits for its turn by default. */
const patienceMsDefault = 20_000

/** Attempts per step if Postgres asks for a retry. */
const stepTriesMax = 4

export interface ImportResult extends Changed, RowCounts {
  readonly unchanged: number
}

export interface ImportProgress {
  /** Data rows so far. */
  readonly received: number
  /** Rows committed so far. They stay whatever happens to the rest. */
  readonly committed: Changed
  /** After the whole input was read: how many of the last steps are done. */
  readonly merging?: { readonly done: number; readonly total: number }
}

interface ImportRequest {
  readonly kind: ImportKind
  readonly organizationId: string
  /** The rows are shared by every organization. */
  readonly isShared: boolean
}

export interface ImportOptions<E> extends ImportRequest {
  readonly format: ImportFormat
  readonly input: Stream.Stream<Uint8Array, E>
  readonly actor: Actor
  /** How long to wait for another import of the organization, and for a place. Units: milliseconds. */
  readonly patienceMs?: number | undefined
  /** Called repeatedly. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

export interface StageOptions<E, A, E2> {
  readonly organizationId: string
  readonly input: Stream.Stream<Uint8Array, E>
  /** Begins the import on its connection, which lasts as long as the scope. */
  readonly open: (
    connection: CopyConnection,
    patienceMs: number,
  ) => Effect.Effect<OpenImport, DatabaseError | ImportsBusy | ImportRefused, Scope.Scope>
  readonly patienceMs?: number | undefined
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Runs after everything is read, while the import still has its organization's turn and its place. */
  readonly done: Effect.Effect<A, E2>
}

interface ReadOptions<E, A, E2> extends StageOptions<E, A, E2> {
  /** Completes the transaction of a step. `before`: what was committed before it. */
  readonly within: (step: ImportStep, before: Changed) => ImportStep
}

/** Only the operator organization may import shared records. */
export class OperatorOnly extends Schema.TaggedError<OperatorOnly>()("OperatorOnly", {
  organizationId: Schema.String,
}) {
  override get message(): string {
    return `Only the operator organization can import data for every organization. ${this.organizationId} is not the operator organization.`
  }
}

export class Imports extends Context.Service<
  Imports,
  {
    /** Whether the organization may import shared records. */
    mayShare(organizationId: string): Effect.Effect<boolean, DatabaseError>
    /** The operator organization; undefined before the first start. */
    readonly operatorOrganization: Effect.Effect<string | undefined, DatabaseError>
    /**
     * Imports a stream.
     *
     * *Errors*: OperatorOnly, ImportsBusy and ImportRefused before anything is imported; PlaceLost; DatabaseError;
     * errors of the input. What was committed before an error stays.
     *
     * *Guarantee*: importing a stream twice has the same effect as importing it once.
     */
    run<E>(
      options: ImportOptions<E>,
    ): Effect.Effect<
      ImportResult,
      OperatorOnly | ImportsBusy | PlaceLost | ImportRefused | DatabaseError | E
    >
    /** Reads a stream into tables where it waits to be applied, and returns the result of `done`. */
    stage<E, A, E2>(
      options: StageOptions<E, A, E2>,
    ): Effect.Effect<A, ImportsBusy | PlaceLost | ImportRefused | DatabaseError | E | E2>
  }
>()("@footfall/server/imports/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const copy = yield* Copy
      const audit = yield* Audit
      const operators = yield* ImportsStore
      const versions = yield* DataVersions
      const random = yield* SecureRandom.SecureRandom
      const places = yield* makeImportPlaces
      const partyOf = yield* PartyOf

      const mayShare = (organizationId: string) =>
        Effect.map(operators.operatorOrganization, (id) => id === organizationId)

      /** Returns the owner of the rows. */
      const ownerOf = Effect.fnUntraced(function* ({
        isShared,
        kind,
        organizationId,
      }: ImportRequest) {
        const isForAll = isShared || kind.sharing !== "onRequest"
        if (!isForAll) return organizationId
        if (yield* mayShare(organizationId)) return sharedOrganizationId
        if (!isShared && kind.sharing === "byOperator") return organizationId
        return yield* new OperatorOnly({ organizationId })
      })

      /** Reads the stream and commits its steps, in the organization's turn and in one of the places. */
      const read = Effect.fnUntraced(function* <E, A, E2>(options: ReadOptions<E, A, E2>) {
        const { input, onProgress, organizationId, within } = options
        const { patienceMs = patienceMsDefault } = options
        yield* places.turn(organizationId, patienceMs)
        const pull = yield* Stream.toPull(input)
        const ahead = yield* readAhead(pull)
        const place = yield* places.place(yield* partyOf(organizationId), patienceMs)
        const body = Stream.concat(
          Stream.fromIterable(ahead.chunks),
          ahead.isAll ? Stream.empty : Stream.fromPull(Effect.succeed(place.reading(pull))),
        )
        const connection = yield* copy.connect
        const { counts, last, push, rejectErased, ...open } = yield* options.open(
          connection,
          patienceMs,
        )
        const accepted = () => counts.received - counts.rejectedCount
        const steps = {
          push: Effect.fnUntraced(function* (chunk: Uint8Array) {
            const made: Array<ImportStep> = []
            let found = 0
            for (let at = 0; at < chunk.length; at += unpausedBytes) {
              if (at > 0) yield* Effect.yieldNow
              const before = accepted()
              made.push(...(yield* reading(() => push(chunk.subarray(at, at + unpausedBytes)))))
              found += accepted() - before
            }
            place.found(found)
            return made
          }),
          end: Effect.suspend(() => reading(open.end)),
        }
        const total = { inserted: 0, updated: 0 }
        const progress = (): ImportProgress => ({
          received: counts.received,
          committed: { ...total },
        })

        const commit = Effect.fnUntraced(function* (step: ImportStep) {
          const {
            erased = [],
            inserted,
            updated,
          } = yield* within(step, { ...total }).pipe(
            connection.transaction,
            Effect.retry({ while: maySucceedAgain, times: stepTriesMax - 1 }),
          )
          total.inserted += inserted
          total.updated += updated
          if (erased.length > 0) rejectErased?.(erased)
        })

        yield* Stream.runForEach(stepsOf(body, steps), (step) =>
          Effect.andThen(
            commit(step),
            Effect.sync(() => onProgress?.(progress())),
          ),
        )
        const left = yield* last
        yield* Effect.forEach(
          left,
          (step, done) =>
            Effect.suspend(() => {
              onProgress?.({ ...progress(), merging: { done, total: left.length } })
              return commit(step)
            }),
          { discard: true },
        )
        return { counts, total, answer: yield* options.done }
      }, Effect.scoped)

      const run = Effect.fnUntraced(function* <E>(options: ImportOptions<E>) {
        const { actor, format, kind, organizationId } = options
        const owner = yield* ownerOf(options)
        const importId = yield* random.uuidV4()
        const origin = { organizationId: owner, importId }
        const { counts, total } = yield* read({
          ...options,
          done: Effect.void,
          open: (connection, patienceMs) => kind.open({ format, origin, connection, patienceMs }),
          // After the first commit that changed something, a row may change what this import wrote.
          within: (step, before) =>
            Effect.tap(
              step,
              Effect.fnUntraced(function* ({ inserted, updated }) {
                const isFirst = before.inserted + before.updated === 0
                if (isFirst && inserted + updated === 0) return
                if (isFirst) {
                  yield* audit.record({ organizationId, actor }, `${kind.name}.imported`, importId)
                }
                yield* versions.raise(kind.data, owner)
              }),
            ),
        })
        const { received, rejected, rejectedCount } = counts
        const unchanged = received - rejectedCount - total.inserted - total.updated
        return { received, ...total, unchanged, rejectedCount, rejected }
      })

      const stage = <E, A, E2>(options: StageOptions<E, A, E2>) =>
        Effect.map(read({ ...options, within: (step) => step }), ({ answer }) => answer)

      return Imports.of({
        mayShare,
        operatorOrganization: operators.operatorOrganization,
        run,
        stage,
      })
    }),
  )
}

/** Reads the beginning of a stream, or all of it. */
const readAhead = Effect.fnUntraced(function* <E>(pull: Pull.Pull<ReadonlyArray<Uint8Array>, E>) {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  while (bytes < readAheadBytes) {
    const more = yield* Pull.catchDone(pull, () => Effect.succeed(undefined))
    if (more === undefined) return { chunks, isAll: true }
    chunks.push(...more)
    for (const { length } of more) bytes += length
  }
  return { chunks, isAll: false }
})

/** Reads one step ahead of the one that is running. */
const stepsOf = <E>(
  input: Stream.Stream<Uint8Array, E>,
  steps: {
    push(chunk: Uint8Array): Effect.Effect<ReadonlyArray<ImportStep>, ImportRefused>
    readonly end: Effect.Effect<ReadonlyArray<ImportStep>, ImportRefused>
  },
): Stream.Stream<ImportStep, E | ImportRefused> =>
  Stream.concat(Stream.mapEffect(input, steps.push), Stream.fromEffect(steps.end)).pipe(
    Stream.flatMap((steps) => Stream.fromIterable(steps)),
    Stream.buffer({ capacity: 1 }),
  )

const reading = (read: () => ReadonlyArray<ImportStep>) =>
  Effect.try({ try: read, catch: (error) => error }).pipe(
    // Anything else it throws is a bug.
    Effect.catch((error) =>
      error instanceof ImportRefused ? Effect.fail(error) : Effect.die(error),
    ),
  )

/** A step that expected only new rows doesn't expect it the next time. */
const maySucceedAgain = (error: DatabaseError | ImportRefused): boolean =>
  "reason" in error &&
  (error.reason._tag === "DeadlockError" ||
    error.reason._tag === "SerializationError" ||
    error.reason._tag === "UniqueViolation")
