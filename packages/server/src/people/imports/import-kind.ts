// What the import engine needs to know about a kind of record. Each room defines its own kinds; server.ts registers
// them all.
import { Context, type Effect, type Scope } from "effect"
import type { CopyConnection } from "../../platform/database/copy.ts"
import type { DatabaseError } from "../../platform/database/database-error.ts"
import type { ImportsBusy } from "./import-places.ts"
import type { ImportFormat } from "./import-format.ts"
import type { ImportRefused } from "./import-refused.ts"
import type { RowCounts } from "./row-reader.ts"

/** Kinds of data that can be imported. */ // spec 5.14
export const importNames = ["topics", "signals", "people", "identity-links"] as const
export type ImportName = (typeof importNames)[number]

/** The origin and the owner of imported rows. */
export interface ImportOrigin {
  /** The owner of the rows: the importing organization, or `sharedOrganizationId`. */
  readonly organizationId: string
  /** Null for a list that is merged at once and repeats no key. */
  readonly importId: string | null
}

/** Counts of the rows that changed something. */
export interface Changed {
  readonly inserted: number
  readonly updated: number
}

/** The result of a step. */
export interface StepResult extends Changed {
  /** Numbers of the rows that were left out because they are about erased people. */
  readonly erased?: ReadonlyArray<number>
}

/** The work of one transaction. The engine runs it, and runs it again if Postgres asks for a retry. */
export type ImportStep = Effect.Effect<StepResult, DatabaseError | ImportRefused>

/** An import in progress. */
export interface OpenImport {
  readonly counts: RowCounts
  /** Counts rows of a committed step as rejected. */
  rejectErased?(rows: ReadonlyArray<number>): void
  /** Returns the steps that the chunk completes, in order. Throws ImportRefused for an invalid header. */
  push(chunk: Uint8Array): ReadonlyArray<ImportStep>
  /** Returns the steps for the remaining rows. Throws like `push`. */
  end(): ReadonlyArray<ImportStep>
  /** The steps that need the whole input, requested after all other steps are done. */
  readonly last: Effect.Effect<ReadonlyArray<ImportStep>, DatabaseError>
}

export interface ImportKind {
  readonly name: ImportName
  /** The data whose version the changes raise. */
  readonly data: DataKind
  /**
   * When rows are shared by every organization:
   * - "onRequest": if the request says so, which only the operator organization may.
   * - "always": always, so only the operator organization may import them.
   * - "byOperator": whenever the operator organization imports.
   */
  readonly sharing: "onRequest" | "always" | "byOperator"
  /** Begins an import, which lasts as long as the scope. `patienceMs` limits how long it may wait to begin. */
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
>()("@footfall/server/imports/ImportKinds") {}

// The kinds of imported data with a version (migration 0009).
export type DataKind = "topics" | "signals" | "people"
