// Files with run results. spec 2.14, 4.6 and 5.9
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta } from "../extensions/common.ts"

/** `footfall.exports`. Accepts an API key or an access token. A viewer's token can only read. */
export class Exports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Writes the people a run found to a CSV or Parquet file and returns a link that works for 24 hours. Returns 201
   * for a new file, 200 for one that already exists, and 202 while the file is being written. Errors:
   * BadRequestError, NotFoundError, ConflictError (`RUN_NOT_COMPLETED`).
   */
  create(
    audienceId: string,
    runId: string,
    params: ExportCreateParams = {},
    options: CreateOptions = {},
  ): ApiCall<ExportWithLink> {
    return this.#transport.create(path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns the exports of a run, newest first. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError. */
  list(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Export, ListMeta> {
    return this.#transport.list(
      path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports`,
      params,
      { credentials: "either", options },
    )
  }

  /** Returns one export with a new download link, once its file is complete. Errors: NotFoundError. */
  get(
    audienceId: string,
    runId: string,
    exportId: string,
    options: RequestOptions = {},
  ): ApiCall<ExportWithLink> {
    return this.#transport.get(
      path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports/${exportId}`,
      { credentials: "either", options },
    )
  }
}

/** Options of a new file. */
export interface ExportCreateParams {
  /** The format of the file. Default: `csv`. */
  readonly exportType?: ExportType | undefined
}

/** An export, and a link that works without credentials. The link is null unless the export is completed. */
export interface ExportWithLink {
  /** The export. */
  readonly export: Export
  /** Link to the file. It needs no key and works for 24 hours. Null unless the file is complete. */
  readonly downloadUrl: string | null
  /** Until when the address is valid; null without one. */
  readonly downloadUrlExpiresAt: string | null
  /** For how many seconds the address is valid; null without one. */
  readonly downloadUrlTtlSeconds: number | null
}

/** A file with run results. */
export interface Export {
  /** Id of the export. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Id of the audience. */
  readonly audienceId: string
  /** Id of the run whose people the file contains. */
  readonly runId: string
  /** Format of the file. */
  readonly exportType: ExportType
  /** Where the export stands. `expired`: the file has been deleted. */
  readonly status: ExportStatus
  /** Media type of the file. */
  readonly contentType: string
  /** Bytes; null unless completed. */
  readonly byteSize: number | null
  /** Rows, not counting the header of a CSV file; null unless completed. */
  readonly rowCount: number | null
  /** Name of the file. */
  readonly fileName: string
  /** SHA-256 of the file, in hex; null unless completed. */
  readonly contentSha256: string | null
  /** Code of the error; null if there is none. */
  readonly errorCode: string | null
  /** What the error says; null if there is none. */
  readonly errorMessage: string | null
  /** The user's id; null if requested with an API key. */
  readonly requestedBy: string | null
  /** When the file was complete; null before that. */
  readonly completedAt: string | null
  /** When the file is deleted; null before it is complete. */
  readonly expiresAt: string | null
  /** When the export was created. */
  readonly createdAt: string
  /** When the export was last changed. */
  readonly updatedAt: string
}

/** The format of a file. Parquet has the rows of `runs.results`: nested objects are structs. */
export type ExportType = "csv" | "parquet"

/** A `completed` export is stored for 7 days, then it is `expired`. */
export type ExportStatus = "processing" | "completed" | "failed" | "expired"
