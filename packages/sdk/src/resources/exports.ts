// Files with run results. spec 2.14, 4.6 and 5.9

import type { ApiCall } from "../core/api-call.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import type { ListMeta, ListPosition } from "../extensions/common.ts"

/** `footfall.exports`. Accepts an API key or an access token. A viewer's token can only read. */
export class Exports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a file with the results of a completed run. If a file of that type exists or is in progress, returns that
   * one, so the call is safe to repeat. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`,
   * `IDEMPOTENCY_MISMATCH`).
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

  /** Lists a run's exports, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Export, ListMeta> {
    return this.#transport.list<Export, ListMeta>(
      path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports`,
      params,
      { credentials: "either", options },
    )
  }

  /** Gets an export with a new link. Errors: NotFoundError. */
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

  /**
   * Waits until an export is completed, failed or expired; check `status`. Polls at growing intervals, up to 5 seconds
   * by default. Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(
    { audienceId, id, runId }: Pick<Export, "audienceId" | "id" | "runId">,
    options: WaitOptions<ExportWithLink> = {},
  ): Promise<ExportWithLink> {
    return waitUntilFinished(
      this.#transport,
      {
        what: `the export ${id}`,
        poll: (signal) => this.get(audienceId, runId, id, { signal }),
        isFinished: ({ export: { status } }) => status !== "processing",
      },
      options,
    )
  }

  /**
   * Streams an export's file, as returned by `create`, `get` or `wait`. It comes from the client's own server and needs
   * no credentials. `timeoutMs` limits the wait for the first bytes, and each further wait. Errors: PermissionError
   * (`LINK_EXPIRED`); NotFoundError if the file is gone.
   */
  toStream(
    { downloadUrl, export: file }: Pick<ExportWithLink, "downloadUrl" | "export">,
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    const link = downloadUrl === null ? undefined : new URL(downloadUrl).searchParams
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/exports/${file.id}/download`,
      query: {
        expires: link?.get("expires") ?? undefined,
        signature: link?.get("signature") ?? undefined,
      },
      accept: file.contentType,
      credentials: "none",
      options,
    })
  }

  /** Writes the file to disk, where it appears under its name only when it is complete. Returns its size in bytes. */
  async toFile(
    link: Pick<ExportWithLink, "downloadUrl" | "export">,
    filePath: string,
    options: RequestOptions = {},
  ): Promise<number> {
    return (await this.toStream(link, options)).toFile(filePath)
  }
}

/** A `completed` export is stored for 7 days, then it is `expired`. */
export type ExportStatus = "processing" | "completed" | "failed" | "expired"

/** The format of a file. Parquet has the rows of `runs.results`: nested objects are structs. */
export type ExportType = "csv" | "parquet"

/** Options of a new file. */
export interface ExportCreateParams {
  /** Default: `csv`. */
  readonly exportType?: ExportType | undefined
}

/** A file with run results. */
export interface Export {
  readonly id: string
  readonly organizationId: string
  readonly audienceId: string
  readonly runId: string
  readonly exportType: ExportType
  readonly status: ExportStatus
  readonly contentType: string
  /** Bytes; null unless completed. */
  readonly byteSize: number | null
  /** Rows, not counting the header of a CSV file; null unless completed. */
  readonly rowCount: number | null
  readonly fileName: string
  /** In hex; null unless completed. */
  readonly contentSha256: string | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** The user's id; null if requested with an API key. */
  readonly requestedBy: string | null
  readonly completedAt: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** An export, and a link that works without credentials. The link is null unless the export is completed. */
export interface ExportWithLink {
  readonly export: Export
  readonly downloadUrl: string | null
  readonly downloadUrlExpiresAt: string | null
  readonly downloadUrlTtlSeconds: number | null
}

/** Options of a CSV export. */
export interface ExportCsvParams {
  /** Whether to leave values unescaped that a spreadsheet would execute as a formula. Default: false. */
  readonly raw?: boolean | undefined
}
