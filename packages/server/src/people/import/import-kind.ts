// What the import engine must know of a kind of record. A kind belongs to the room of its records; those
// of all rooms stand in the registry that server.ts fills.
import { Context, type Effect, type Scope } from "effect"
import type { CopyConnection } from "../../database/copy.ts"
import type { DatabaseError } from "../../database/database-error.ts"
import type { ImportsBusy } from "./import-places.ts"
import type { ImportFormat } from "./import-format.ts"
import type { RowCounts } from "./row-reader.ts"

/** Of what can be imported. */ // spec 5.14
export const importNames = ["topics", "signals", "people", "identity-links"] as const
export type ImportName = (typeof importNames)[number]

/** Where an import comes from and whom it is for. */
export interface ImportOrigin {
  /** Whose the rows are: the importing organization, or `sharedOrganizationId`. */
  readonly organizationId: string
  /** Null: of a list that is merged at once, in which no key is repeated. */
  readonly importId: string | null
}

/** Rows that changed something; the others changed nothing. */
export interface Changed {
  readonly inserted: number
  readonly updated: number
}

/** What a step did. */
export interface StepResult extends Changed {
  /** Numbers of the rows that were left out, because they are about people who were erased. */
  readonly erased?: ReadonlyArray<number>
}

/** The work of one transaction, in which the engine runs it; again, where Postgres asks for it. */
export type ImportStep = Effect.Effect<StepResult, DatabaseError>

/** An import under way. */
export interface OpenImport {
  readonly counts: RowCounts
  /** Counts rows of a step that was committed as rejected. */
  rejectErased?(rows: ReadonlyArray<number>): void
  /** The steps that the chunk makes ready, in order. Throws ImportRefused for a header that does not do. */
  push(chunk: Uint8Array): ReadonlyArray<ImportStep>
  /** Those of what was left. Throws as `push`. */
  end(): ReadonlyArray<ImportStep>
  /** Those that need everything to be read; asked for when all others were taken. */
  readonly last: Effect.Effect<ReadonlyArray<ImportStep>, DatabaseError>
}

export interface ImportKind {
  readonly name: ImportName
  /** Whose version its changes raise. */
  readonly data: DataKind
  /**
   * When rows are of every organization: when it is asked for, which the operator organization alone
   * may; always, so that it alone may import them; or whenever it imports.
   */
  readonly sharing: "asked" | "always" | "byOperator"
  /** Begins an import, which lasts as long as the scope. `patienceMs`: how long it may wait to begin. */
  open(options: {
    readonly format: ImportFormat
    readonly origin: ImportOrigin
    readonly connection: CopyConnection
    readonly patienceMs: number
  }): Effect.Effect<OpenImport, DatabaseError | ImportsBusy, Scope.Scope>
}

export class ImportKinds extends Context.Service<
  ImportKinds,
  Readonly<Record<ImportName, ImportKind>>
>()("@footfall/server/people/ImportKinds") {}

// The kinds of imported data that have a version (migration 0009).
export type DataKind = "topics" | "signals" | "people"
