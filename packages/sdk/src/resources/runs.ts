// Runs of an audience, what they found, and its figures. Source: spec 5.9.

import type { ApiRequest } from "../core/api-request.ts"
import { atCursor } from "../core/at-cursor.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { Started } from "../core/started.ts"
import type { Transport } from "../core/transport.ts"
import { waitUntilOver, type WaitOptions } from "../core/wait.ts"
import type { ExportCsvParams } from "./export.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"
import type { ResponseMeta } from "./response-meta.ts"
import type {
  Run,
  RunListParams,
  RunResult,
  RunResultsMeta,
  RunStartParams,
  RunWithStatistics,
} from "./run.ts"

/** `footfall.runs`. Takes an API key or an access token; a viewer's token reads only. */
export class Runs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Puts a run of an active audience in the queue: `await` gives it as it was accepted,
   * `await runs.start(audienceId).wait()` when it has come to its end.
   * Errors: NotFoundError; ConflictError: `AUDIENCE_NOT_ACTIVE`, `RUN_IN_PROGRESS` (see `runId`).
   */
  start(
    audienceId: string,
    { idempotencyKey = crypto.randomUUID() }: RunStartParams = {},
    options: RequestOptions = {},
  ): Started<Run> {
    const start = () =>
      this.#transport.requestData<Run>({
        method: "POST",
        path: path`/v1/intent/audiences/${audienceId}/runs`,
        idempotencyKey,
        credentials: "either",
        options,
      })
    return new Started(start, (run, wait) => this.wait(run, wait))
  }

  /** Every run of an audience, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    params: RunListParams = {},
    options: RequestOptions = {},
  ): PagedList<Run, ListMeta> {
    return new PagedList<Run, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: path`/v1/intent/audiences/${audienceId}/runs`,
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }

  /** One run. Errors: NotFoundError. */
  get(audienceId: string, runId: string, options: RequestOptions = {}): Promise<Run> {
    return this.#one("GET", audienceId, runId, options)
  }

  /** Cancels a run that is queued. Errors: NotFoundError, ConflictError (`RUN_NOT_QUEUED`). */
  cancel(audienceId: string, runId: string, options: RequestOptions = {}): Promise<Run> {
    return this.#one("DELETE", audienceId, runId, options)
  }

  /**
   * The run when it is completed, failed or cancelled: `status` tells which. Looks more and more rarely, at
   * least every 5 seconds.
   * Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(run: Pick<Run, "audienceId" | "id">, options: WaitOptions<Run> = {}): Promise<Run> {
    return waitUntilOver(
      this.#transport,
      {
        what: `the run ${run.id}`,
        look: (signal) => this.get(run.audienceId, run.id, { signal }),
        isOver: ({ status }) => status !== "queued" && status !== "running",
      },
      options,
    )
  }

  /**
   * Every person a run found, the highest score first; nobody before it has completed, which `meta.run`
   * tells. What was found stays as it was, but for people who were erased.
   * Errors: NotFoundError, also for results older than they are kept; ConflictError
   * (`RUN_NOT_COMPLETED`) for a run that failed or was cancelled; BadRequestError (`INVALID_CURSOR`).
   */
  results(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<RunResult, RunResultsMeta> {
    return new PagedList<RunResult, RunResultsMeta>(async (cursor) => {
      const { data, meta } = await this.#transport.request<
        Pick<RunResultsMeta, "run" | "total" | "limit" | "offset"> & {
          readonly results: ReadonlyArray<RunResult>
        },
        ResponseMeta & Pick<RunResultsMeta, "hasMore" | "nextCursor">
      >({
        method: "GET",
        path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/results`,
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      })
      const { limit, offset, results, run, total } = data
      return { data: results, meta: { ...meta, run, total, limit, offset } }
    })
  }

  /** Figures of the results. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`). */
  stats(
    audienceId: string,
    runId: string,
    options: RequestOptions = {},
  ): Promise<RunWithStatistics> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/stats`,
      credentials: "either",
      options,
    })
  }

  /**
   * The results of a completed run as CSV, made while it is read: nothing is stored, and a slow reader may take
   * as long as it likes. `for await` reads it, `toFile` writes it. `timeoutMs` is for its beginning, and for
   * each wait for more of it. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`).
   */
  exportCsv(
    audienceId: string,
    runId: string,
    { raw }: ExportCsvParams = {},
    options: RequestOptions = {},
  ): Promise<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/export.csv`,
      query: { raw },
      accept: "text/csv",
      credentials: "either",
      options,
    })
  }

  #one(
    method: ApiRequest["method"],
    audienceId: string,
    runId: string,
    options: RequestOptions,
  ): Promise<Run> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}`,
      credentials: "either",
      options,
    })
  }
}
