// Files of suppression rules or values of lists, of any size: sent, answered as a plan, then applied or dropped. spec 5.16

import type { ApiCall } from "../core/api-call.ts"
import { checkBound } from "../core/bound.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { UploadSource } from "../core/upload.ts"
import type { ImportFormat } from "./imports.ts"
import type { SuppressionRuleType } from "../resources/suppression.ts"
import {
  type AppliedFileImport,
  type DroppedFileImport,
  type FileImportKind,
  type FileImportMode,
  type FileImportPlan,
  FileImports as Calls,
} from "../resources/file-imports.ts"

const contentTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const

/** Comparing millions of rules takes minutes, not hours. */
const answerTimeout = { defaultMs: 900_000, min: 1, max: 86_400_000 }

/** `footfall.fileImports`. Needs an API key. */
export class FileImports extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Sends a file and returns what it would do. Nothing changes before `apply`. The file is CSV with any delimiter, a list
   * with one value per line, or NDJSON, in UTF-8 or UTF-16, plain or gzipped. The source is read only as fast as the
   * connection accepts it. A plan is never retried: after an error, send the file again. Errors: BadRequestError
   * (`COLUMN_UNKNOWN`: see `unknownColumn`), ConflictError (`LIST_FULL`), and any error of the source.
   */
  plan(
    kind: FileImportKind,
    source: UploadSource,
    params: FileImportParams = {},
    options: RequestOptions = {},
  ): ApiCall<FileImportPlan> {
    const { answerTimeoutMs, format = "csv", types, ...query } = params
    return this.#transport.requestData(() => ({
      method: "POST",
      path: path`/v1/data/import/${kind}/plan`,
      query: { ...query, types: types?.join(",") },
      upload: {
        contentType: contentTypes[format],
        chunks: source,
        answerTimeoutMs: checkBound(
          "answerTimeoutMs",
          answerTimeoutMs ?? answerTimeout.defaultMs,
          answerTimeout,
        ),
      },
      credentials: "apiKey",
      options,
    }))
  }

  /**
   * Applies a plan, as a whole or not at all. Errors: NotFoundError (applied, dropped, or older than an hour),
   * ConflictError (`IMPORT_GUARDED`: send what the guard asks for; `LIST_CHANGED`: plan again; `LIST_FULL`).
   */
  apply(
    kind: FileImportKind,
    params: FileImportApplyParams,
    options: RequestOptions = {},
  ): ApiCall<AppliedFileImport> {
    return this.#transport.requestData(() => ({
      method: "POST",
      path: path`/v1/data/import/${kind}/apply`,
      body: params,
      credentials: "apiKey",
      options,
    }))
  }

  /** The rejected rows as a CSV file: `line`, `type`, `value`, `reason`, `message`. At most 100,000 of each file. */
  rejected(
    kind: FileImportKind,
    importId: string,
    params: FileImportRejectedParams = {},
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/data/import/${kind}/${importId}/rejected`,
      query: { file: params.file },
      accept: "text/csv",
      credentials: "apiKey",
      options,
    })
  }

  /** Drops a plan. A plan is dropped after an hour in any case. */
  drop(
    kind: FileImportKind,
    importId: string,
    options: RequestOptions = {},
  ): ApiCall<DroppedFileImport> {
    return this.#transport.requestData(() => ({
      method: "DELETE",
      path: path`/v1/data/import/${kind}/${importId}`,
      credentials: "apiKey",
      options,
    }))
  }
}

/** What the file does not say. */
export interface FileImportParams {
  /** Default: `add`. */
  readonly mode?: FileImportMode | undefined
  /** Type of the values. */
  readonly type?: SuppressionRuleType | undefined
  /** Column that contains the values, by name or by number from 1. */
  readonly column?: string | undefined
  /** The list that the file is for, by id. Needed for `lists`. */
  readonly list?: string | undefined
  /** Whether the first row names the columns. Default: decided by the server. */
  readonly header?: boolean | undefined
  /** Rows of other types are rejected, and rules of other types are not removed. */
  readonly types?: ReadonlyArray<SuppressionRuleType> | undefined
  /** Name of the file, for messages. */
  readonly name?: string | undefined
  /** Why the rules are there. Shown with each rule that the import adds. 1 to 500 characters. */
  readonly note?: string | undefined
  /** A plan that the file is added to, with its mode and types. */
  readonly importId?: string | undefined
  /** Default: `csv`, which covers lists and every delimiter. */
  readonly format?: ImportFormat | undefined
  /** Milliseconds to wait for the response after the file is sent. 1 to 86,400,000, default 900,000. */
  readonly answerTimeoutMs?: number | undefined
}

/** What to apply, and what is allowed. */
export interface FileImportApplyParams {
  readonly importId: string
  /** The most values that may be removed. */
  readonly allowRemovals?: number | undefined
  /** Whether a file without rows is meant. */
  readonly allowEmpty?: boolean | undefined
}

/** Which rejected rows. */
export interface FileImportRejectedParams {
  /** Position of a file in `files`. Default: all files. */
  readonly file?: number | undefined
}
