// The import of a stream of records, in steps of one transaction each: those that reading makes ready, the
// next one while one is taken, then those that need everything. A stream that breaks keeps what was
// committed, and sending it again changes only what is missing. Memory does not grow with the stream. A stream that
// comes slowly holds up no one else (import-places.ts).
// Source: spec 5.14.
import { Context, Effect, Layer, Pull, Schema, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../../access/audit/store.ts"
import { Audit } from "../../access/audit/audit.ts"
import { Copy } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import { type ImportFormat, ImportRefused } from "./import-format.ts"
import { sharedOrganizationId } from "../../access/organization.ts"
import type { Changed, ImportKind, ImportStep } from "./import-kind.ts"
import { PeopleStore } from "../store.ts"
import { DataVersions } from "./data-versions.ts"
import { type ImportsBusy, makeImportPlaces, type PlaceLost } from "./import-places.ts"
import type { RowCounts } from "./row-reader.ts"

/** What is read of a stream before it needs a place: a shorter one needs it for its work alone. Our bound. */
export const readAheadBytes = 262_144

/**
 * Bytes read without a pause. In each pause the server answers other requests and sends Postgres the next statement of
 * the current step; reading a whole chunk at once takes 3 ms.
 */
const unpausedBytes = 16_384

/** How long an import waits for its turn where it is not said. Our bound. */
const patienceMsDefault = 20_000

/** Tries of a step that Postgres asked to send again. */
const stepTriesMax = 4

export interface ImportResult extends Changed, RowCounts {
  readonly unchanged: number
}

export interface ImportProgress {
  /** Data rows so far. */
  readonly received: number
  /** What is committed, whatever becomes of the rest. */
  readonly committed: Changed
  /** Once everything was read: steps that are left, of which `done` were taken. */
  readonly merging?: { readonly done: number; readonly of: number }
}

interface Asked {
  readonly kind: ImportKind
  readonly organizationId: string
  /** The rows belong to every organization. */
  readonly isShared: boolean
}

export interface ImportOptions<E> extends Asked {
  readonly format: ImportFormat
  readonly input: Stream.Stream<Uint8Array, E>
  readonly actor: Actor
  /** How long it waits for another import of the organization, and for a place. Units: milliseconds. */
  readonly patienceMs?: number | undefined
  /** Told again and again. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined
}

/** Records for all organizations are the operator organization's to import. */
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
    /** Whether the organization may import for all. */
    mayShare(organizationId: string): Effect.Effect<boolean, DatabaseError>
    /** The operator organization; none before the first start. */
    readonly operatorOrganization: Effect.Effect<string | undefined, DatabaseError>
    /**
     * Imports a stream.
     *
     * *Errors*: OperatorOnly, ImportsBusy and ImportRefused, before anything was imported; PlaceLost;
     * DatabaseError; those of the input. What was committed before an error stays.
     * *Guarantee*: the same stream twice is the same as once.
     */
    run<E>(
      options: ImportOptions<E>,
    ): Effect.Effect<
      ImportResult,
      OperatorOnly | ImportsBusy | PlaceLost | ImportRefused | DatabaseError | E
    >
  }
>()("@footfall/server/people/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const copy = yield* Copy
      const audit = yield* Audit
      const operators = yield* PeopleStore
      const versions = yield* DataVersions
      const random = yield* SecureRandom.SecureRandom
      const places = yield* makeImportPlaces

      const mayShare = (organizationId: string) =>
        Effect.map(operators.operatorOrganization, (id) => id === organizationId)

      /** Whose the rows are. */
      const ownerOf = Effect.fnUntraced(function* ({ isShared, kind, organizationId }: Asked) {
        const isForAll = isShared || kind.sharing !== "asked"
        if (!isForAll) return organizationId
        if (yield* mayShare(organizationId)) return sharedOrganizationId
        if (!isShared && kind.sharing === "byOperator") return organizationId
        return yield* new OperatorOnly({ organizationId })
      })

      const run = Effect.fnUntraced(function* <E>(options: ImportOptions<E>) {
        const { actor, format, input, kind, onProgress, organizationId } = options
        const { patienceMs = patienceMsDefault } = options
        const owner = yield* ownerOf(options)
        yield* places.turn(organizationId, patienceMs)
        const pull = yield* Stream.toPull(input)
        const ahead = yield* readAhead(pull)
        const place = yield* places.place(importerOf(options), patienceMs)
        const body = Stream.concat(
          Stream.fromIterable(ahead.chunks),
          ahead.isAll ? Stream.empty : Stream.fromPull(Effect.succeed(place.reading(pull))),
        )
        const importId = yield* random.uuidV4()
        const connection = yield* copy.connect
        const origin = { organizationId: owner, importId }
        const { counts, last, push, rejectErased, ...open } = yield* kind.open({
          format,
          origin,
          connection,
          patienceMs,
        })
        const good = () => counts.received - counts.rejectedCount
        const steps = {
          push: Effect.fnUntraced(function* (chunk: Uint8Array) {
            const made: Array<ImportStep> = []
            let found = 0
            for (let at = 0; at < chunk.length; at += unpausedBytes) {
              if (at > 0) yield* Effect.yieldNow
              const before = good()
              made.push(...(yield* reading(() => push(chunk.subarray(at, at + unpausedBytes)))))
              found += good() - before
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
        /** Something was committed: from then on a row may change what this import has written. */
        let hasChanged = false

        const commit = Effect.fnUntraced(function* (step: ImportStep) {
          const {
            erased = [],
            inserted,
            updated,
          } = yield* step.pipe(
            Effect.tap(
              Effect.fnUntraced(function* ({ inserted, updated }) {
                if (!hasChanged && inserted + updated === 0) return
                if (!hasChanged) {
                  yield* audit.record({ organizationId, actor }, `${kind.name}.imported`, importId)
                }
                yield* versions.raise(kind.data, owner)
              }),
            ),
            connection.transaction,
            Effect.retry({ while: maySucceedAgain, times: stepTriesMax - 1 }),
          )
          hasChanged ||= inserted + updated > 0
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
              onProgress?.({ ...progress(), merging: { done, of: left.length } })
              return commit(step)
            }),
          { discard: true },
        )
        const { received, rejected, rejectedCount } = counts
        const unchanged = received - rejectedCount - total.inserted - total.updated
        return { received, ...total, unchanged, rejectedCount, rejected }
      }, Effect.scoped)

      return Imports.of({
        mayShare,
        operatorOrganization: operators.operatorOrganization,
        run,
      })
    }),
  )
}

/** A user may import for many organizations; a command of the server does so for each on its own. */
const importerOf = ({
  actor,
  organizationId,
}: Pick<ImportOptions<never>, "actor" | "organizationId">) =>
  "id" in actor ? actor.id : organizationId

/** The beginning of a stream, or all of it. */
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

/** One step ahead: it is made ready while the one before is taken. */
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

const maySucceedAgain = (error: DatabaseError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"
