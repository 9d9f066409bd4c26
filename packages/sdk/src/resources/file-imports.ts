// The plans of file imports. spec 5.16
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta } from "../extensions/common.ts"
import type {
  SuppressionRuleType,
  SuppressionRuleCounts,
  SuppressionAffectedPerson,
} from "./suppression.ts"

/** `footfall.fileImports`. Needs an API key. */
export class FileImports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the imports of a kind that were applied and changed something, newest first. Errors: BadRequestError
   * (`INVALID_CURSOR`).
   */
  list(
    kind: FileImportKind,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<FileImport, ListMeta> {
    return this.#transport.list(path`/v1/data/import/${kind}`, params, {
      credentials: "apiKey",
      options,
    })
  }

  /**
   * Undoes an import, once and within 7 days. What it added goes, except what someone has added again since. What it
   * removed returns. Afterwards, and for an older import, the response is 409. Errors: NotFoundError, ConflictError
   * (`LIST_FULL`).
   */
  undo(
    kind: FileImportKind,
    importId: string,
    options: RequestOptions = {},
  ): ApiCall<AppliedFileImport> {
    return this.#transport.post(path`/v1/data/import/${kind}/${importId}/undo`, {
      credentials: "apiKey",
      options,
    })
  }
}

/** An import that was applied. */
export interface FileImport {
  /** Id of the import. */
  readonly importId: string
  /** What was imported. */
  readonly kind: FileImportKind
  /** The list that was changed; null for suppression rules. */
  readonly listId: string | null
  /** Name of the file, or of the first of several. */
  readonly name: string
  /** Why the rules are there; null without a note. */
  readonly note: string | null
  /** `add`, `replace` or `remove`. */
  readonly mode: FileImportMode
  /** Values that were added. */
  readonly added: number
  /** Values that were removed. */
  readonly removed: number
  /** Address of the member or name of the API key that applied it; null if they are gone. */
  readonly member: string | null
  /** When it was applied. */
  readonly appliedAt: string
  /** Until when it can be undone; null if it can't be undone anymore. */
  readonly undoableUntil: string | null
  /** When it was undone; null if it was not. */
  readonly undoneAt: string | null
}

/** What can be imported. */
export type FileImportKind = "suppression-rules" | "lists"

/** The result of an import. */
export interface AppliedFileImport {
  /** Values that were added. */
  readonly added: number
  /** Values that were removed. */
  readonly removed: number
  /** The organization's rules, or the size of the list, after the import. */
  readonly total: number
}

/** What an import would do. */
export interface FileImportPlan {
  /** Names the plan. Send it to apply or drop the plan, or to add another file. */
  readonly importId: string
  /** What is imported. */
  readonly kind: FileImportKind
  /** The list that would change; null for suppression rules. */
  readonly listId: string | null
  /** `add` adds values, `replace` makes the list equal the file, `remove` removes values. */
  readonly mode: FileImportMode
  /** Why the rules are there; null without a note. */
  readonly note: string | null
  /**
   * The types that the import is limited to; null means all. Of a list: `email` for people, `company_domain` for
   * companies.
   */
  readonly types: ReadonlyArray<SuppressionRuleType> | null
  /** When the plan is dropped. */
  readonly expiresAt: string
  /** Rows of all files, without headers, blank lines and comments. */
  readonly rows: number
  /** Distinct rules in the files, or distinct values of a list. */
  readonly rules: number
  /** Values that would be added. */
  readonly new: number
  /** Values of the files that are on the list. */
  readonly present: number
  /** Values that would be removed. */
  readonly removed: number
  /** Rows that are not valid. */
  readonly rejected: number
  /** Rows whose value an earlier row has. */
  readonly repeated: number
  /** What stands in the way; null if nothing does. */
  readonly guard: FileImportGuard | null
  /** The same counts for each type of rule. */
  readonly byType: {
    /** Distinct rules in the files. */
    readonly rules: SuppressionRuleCounts
    /** Rules that would be added. */
    readonly new: SuppressionRuleCounts
    /** Rules that would be removed. */
    readonly removed: SuppressionRuleCounts
    /** Rows that name this type and are not valid rules. */
    readonly rejected: SuppressionRuleCounts
    /** The list before the import. */
    readonly stored: SuppressionRuleCounts
  }
  /** The files, in the order they were sent. */
  readonly files: ReadonlyArray<FileImportFile>
  /** Some of the changes. */
  readonly sample: {
    /** At most 10 rules that would be added, in the order of the files. */
    readonly new: ReadonlyArray<{
      /** What the rule matches. */
      readonly type: SuppressionRuleType
      /** In normal form. */
      readonly value: string
    }>
    /** At most 10 rules that would be removed, newest first. */
    readonly removed: ReadonlyArray<{
      /** What the rule matches. */
      readonly type: SuppressionRuleType
      /** In normal form. */
      readonly value: string
    }>
  }
  /** How many rows were rejected, by reason. */
  readonly rejectedByReason: ReadonlyArray<{
    /** Why the rows were rejected. */
    readonly reason: string
    /** How many. */
    readonly rows: number
  }>
  /** The first 100 rejected rows. */
  readonly rejectedRows: ReadonlyArray<FileImportRejection>
  /** Mail providers at which the rules would suppress everyone. */
  readonly freeMailDomains: ReadonlyArray<string>
  /**
   * People seen in the last 30 days who would be suppressed; null unless `mode` is `add` and the files have 1 to
   * 100,000 rules.
   */
  readonly affected: {
    /** How many people. */
    readonly visitors: number
    /** A person counts once for each type that matches. */
    readonly byType: SuppressionRuleCounts
    /** At most 10 of them, last seen first. */
    readonly sample: ReadonlyArray<SuppressionAffectedPerson>
  } | null
  /** How the file of this request was read, in the words of the parameters; null for NDJSON. */
  readonly layout: FileImportLayout | null
  /** Changes with every write to the list. */
  readonly listVersion: string
}

/** A dropped plan. */
export interface DroppedFileImport {
  /** Always true. */
  readonly dropped: true
}

/** `add` adds the values of the file, `replace` makes the list equal the file, `remove` removes them. */
export type FileImportMode = "add" | "replace" | "remove"

/** What `apply` has to allow. */
export interface FileImportGuard {
  /**
   * `empty`: a file has no rows. `no_rules`: no row is a rule. `other_types`: the file has other types than the list.
   * `most`: more than half of a long list would be removed.
   */
  readonly reason: "empty" | "no_rules" | "other_types" | "most"
  /** Rules that would be removed. */
  readonly removals: number
  /** Stored rules of the compared types. */
  readonly present: number
}

/** One file of an import. */
export interface FileImportFile {
  /** Name of the file, as sent. */
  readonly name: string
  /** How the file was read, for people. */
  readonly reading: string
  /** Rows of the file. */
  readonly rows: number
  /** Rejected rows of the file. */
  readonly rejected: number
}

/** A row that is not valid. */
export interface FileImportRejection {
  /** Position of the file in `files`. */
  readonly file: number
  /** First line of the row, counted from 1. */
  readonly line: number
  /** As written in the file. */
  readonly type: string
  /** As written in the file, cut after 512 characters. */
  readonly value: string
  /** Why the row is not a valid rule. */
  readonly reason:
    | "not_an_object"
    | "invalid_type"
    | "type_not_in_types"
    | "empty_value"
    | "value_too_long"
    | "invalid_email"
    | "invalid_domain"
    | "invalid_industry"
    | "public_suffix"
    | "unreadable_text"
    | "value_cut"
    | "erased"
  /** Set if the reason is not enough: names an invisible character, or says what the value looks like. */
  readonly message?: string
}

/** How a file was read. */
export interface FileImportLayout {
  /** The first 6 rows with the header, as written: at most 200 cells, each cut after 80 characters. */
  readonly firstRows: ReadonlyArray<ReadonlyArray<string>>
  /** Column of the values, from 1. */
  readonly column: number
  /** Type of the values; null if each row says its type. */
  readonly type: SuppressionRuleType | null
  /** Whether the first row names the columns. */
  readonly header: boolean
}
