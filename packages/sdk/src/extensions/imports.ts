// Bulk import of topics, signals, people and identity links, in any amount. spec 2.19 and 5.14

import type { ApiCall } from "../core/api-call.ts"
import { checkBound } from "../core/bound.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { UploadSource } from "../core/upload.ts"
import type { ImportKind, ImportResult } from "../resources/imports.ts"

const contentTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const

/** Merging millions of signals takes minutes, not hours. */
const answerTimeout = { defaultMs: 3_600_000, min: 1, max: 86_400_000 }

/** `footfall.imports`. Needs the access token of an owner. */
export class Imports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Sends a file, a stream or text. The source is read only as fast as the connection accepts it, so memory use stays
   * constant. Invalid rows are counted and do not stop the import. An import is never retried. After an error, the rows
   * committed so far stay. Sending the same rows again does not change them. `timeoutMs` limits the time without
   * progress while rows are sent. After that, `answerTimeoutMs` limits the wait for the response. Errors:
   * BadRequestError (a CSV column is missing), PermissionError (not an owner; `shared` outside the operator
   * organization), and any error of the source.
   */
  run(
    kind: ImportKind,
    source: UploadSource,
    params: ImportParams,
    options: RequestOptions = {},
  ): ApiCall<ImportResult> {
    return this.#transport.requestData(() => ({
      method: "POST",
      path: path`/v1/admin/import/${kind}`,
      query: { shared: params.shared },
      upload: {
        contentType: contentTypes[params.format],
        chunks: source,
        answerTimeoutMs: checkBound(
          "answerTimeoutMs",
          params.answerTimeoutMs ?? answerTimeout.defaultMs,
          answerTimeout,
        ),
      },
      credentials: "accessToken",
      options,
    }))
  }
}

/** Format and scope of an import. */
export interface ImportParams {
  /** `ndjson`: one object per line. `csv`: a header row, with dotted names for nested fields. */
  readonly format: ImportFormat
  /**
   * Imports people and links for every organization on the server. Only the operator organization can set it. Default
   * false. Topics, and the operator organization's signals, are always shared.
   */
  readonly shared?: boolean | undefined
  /**
   * Milliseconds to wait for the response after all rows are sent, while the server merges them. 1 to 86,400,000,
   * default 3,600,000.
   */
  readonly answerTimeoutMs?: number | undefined
}

export type ImportFormat = "csv" | "ndjson"
