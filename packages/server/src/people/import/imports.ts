// The import of a stream of records: batches go into the tables while it is read, one transaction each,
// so a stream that breaks keeps what was committed, and sending it again changes only what is missing.
// The next batch is read while one is merged; memory does not grow with the stream.
// Source: decisions.md 5.14; architecture.md, Scale rules 6.
import { Context, Effect, Layer, Schema, Semaphore, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Actor } from "../../access/audit/audit-entry.ts"
import { Audit } from "../../access/audit/audit.ts"
import { Copy } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ImportFormat } from "./import-format.ts"
import { type Changed, type ImportKind, sharedOrganizationId } from "./import-kind.ts"
import { PeopleStore } from "../store.ts"
import { DataVersions } from "./data-versions.ts"
import { type Batch, ImportReader, type RejectedRow } from "./import-reader.ts"
import { ImportRefused } from "./import-refused.ts"

/** Imports of one process at a time, each with a connection of its own; further ones wait. Our bound. */
const importsMax = 2

/** Tries of a batch that Postgres asked to send again. */
const batchTriesMax = 4

export interface ImportResult extends Changed {
  /** Data rows, the rejected ones too. */
  readonly received: number
  readonly unchanged: number
  readonly rejectedCount: number
  /** The first hundred. */
  readonly rejected: ReadonlyArray<RejectedRow>
}

export interface ImportOptions<E> {
  readonly kind: ImportKind
  readonly format: ImportFormat
  readonly input: Stream.Stream<Uint8Array, E>
  readonly organizationId: string
  /** The rows belong to every organization. */
  readonly isShared: boolean
  readonly actor: Actor
  /** Told after each batch. */
  readonly onProgress?: ((progress: { readonly received: number }) => void) | undefined
}

/** Records for all organizations are the operator organization's to import. */
export class OperatorOnly extends Schema.TaggedError<OperatorOnly>()("OperatorOnly", {
  organizationId: Schema.String,
}) {
  override get message(): string {
    return `Only the operator organization imports for all; ${this.organizationId} is another one.`
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
     * *Errors*: OperatorOnly, and ImportRefused, before anything was imported; DatabaseError; those of
     * the input. What was committed before an error stays.
     * *Guarantee*: the same stream twice is the same as once.
     */
    run<E>(
      options: ImportOptions<E>,
    ): Effect.Effect<ImportResult, OperatorOnly | ImportRefused | DatabaseError | E>
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
      const turns = yield* Semaphore.make(importsMax)

      const mayShare = (organizationId: string) =>
        Effect.map(operators.operatorOrganization, (id) => id === organizationId)

      const run = Effect.fnUntraced(function* <E>(options: ImportOptions<E>) {
        const { actor, format, input, kind, onProgress, organizationId } = options
        if (options.isShared && !(yield* mayShare(organizationId))) {
          return yield* new OperatorOnly({ organizationId })
        }
        const reader = new ImportReader(kind, format)
        const connection = yield* copy.connect
        const origin = {
          organizationId: options.isShared ? sharedOrganizationId : organizationId,
          importId: yield* random.uuidV4(),
        }
        const total = { inserted: 0, updated: 0, unchanged: 0 }
        /** Something was committed: from then on a row may change what this import has written. */
        let hasChanged = false

        const merge = Effect.fnUntraced(function* (batch: Batch) {
          const rows = batch.rows
          const changed = yield* kind.admit(origin, rows).pipe(
            Effect.flatMap((admitted) => kind.write(origin, admitted, connection.into)),
            Effect.tap(
              Effect.fnUntraced(function* ({ inserted, updated }) {
                if (!hasChanged && inserted + updated === 0) return
                if (!hasChanged) {
                  yield* audit.record({
                    organizationId,
                    actor,
                    action: `${kind.name}.imported`,
                    targetId: origin.importId,
                  })
                }
                yield* versions.raise(kind.data)
              }),
            ),
            connection.transaction,
            Effect.retry({ while: maySucceedAgain, times: batchTriesMax - 1 }),
          )
          const { inserted, updated } = changed
          hasChanged ||= inserted + updated > 0
          total.inserted += inserted
          total.updated += updated
          total.unchanged += rows.length - inserted - updated + batch.repeated
          onProgress?.({ received: reader.received })
        })

        yield* kind.prepare.pipe(connection.transaction)
        yield* Stream.runForEach(batchesOf(input, reader), merge)
        const { received, rejected, rejectedCount } = reader
        return { received, ...total, rejectedCount, rejected }
      }, Effect.scoped)

      return Imports.of({
        mayShare,
        operatorOrganization: operators.operatorOrganization,
        run: (options) => turns.withPermit(run(options)),
      })
    }),
  )
}

/** One batch ahead: it is read while the one before is merged. */
const batchesOf = <E>(input: Stream.Stream<Uint8Array, E>, reader: ImportReader) =>
  Stream.concat(
    Stream.mapEffect(input, (chunk) => reading(() => reader.push(chunk))),
    Stream.fromEffect(Effect.suspend(() => reading(() => reader.end()))),
  ).pipe(
    Stream.flatMap((batches) => Stream.fromIterable(batches)),
    Stream.buffer({ capacity: 1 }),
  )

const reading = (read: () => ReadonlyArray<Batch>) =>
  Effect.try({ try: read, catch: (error) => error }).pipe(
    // Anything else it throws is a bug.
    Effect.catch((error) =>
      error instanceof ImportRefused ? Effect.fail(error) : Effect.die(error),
    ),
  )

const maySucceedAgain = (error: DatabaseError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"
