// Bulk load of topics, signals, people and identity links, of any size.
// Source: spec 2.19 and 5.14.

import { checkBound } from "../core/bound.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { UploadSource } from "../core/upload.ts"
import type { ImportKind, ImportParams, ImportResult } from "./import-result.ts"

const contentTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const

/** Signals by the million are merged in minutes, not in hours. */
const answerTimeout = { defaultMs: 3_600_000, min: 1, max: 86_400_000 }

/** `footfall.imports`. Needs an access token of an owner. */
export class Imports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Sends a file, a stream or text; a chunk is asked of the source when the connection has room, so
   * memory does not grow with it. A row that cannot be taken is counted and stops nothing.
   * It is sent once and never repeated. After an error the rows committed so far stay, and sending the
   * same rows again changes nothing about them. `timeoutMs` is the longest time without progress while
   * rows are sent, `answerTimeoutMs` the time for the answer after that.
   * Errors: BadRequestError (CSV without a needed column), PermissionError (no owner; `shared` outside
   * the operator organization), whatever the source throws.
   */
  async run(
    kind: ImportKind,
    source: UploadSource,
    params: ImportParams,
    options: RequestOptions = {},
  ): Promise<ImportResult> {
    return this.#transport.requestData({
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
    })
  }
}
