// Runs: starting one and waiting for it, and its results as files. spec 5.9

import type { ApiCall } from "../core/api-call.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { Started, type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import { Runs as Calls, type Run } from "../resources/runs.ts"

/** `footfall.runs`. Accepts an API key or an access token. A viewer's token can only read. */
export class Runs extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Queues a run of an active audience. `await` returns the accepted run. `await runs.start(audienceId).wait()` returns
   * it when it is finished. Errors: NotFoundError; ConflictError: `AUDIENCE_NOT_ACTIVE`, `RUN_IN_PROGRESS` (see
   * `runId`).
   */
  start(
    audienceId: string,
    { idempotencyKey = crypto.randomUUID() }: RunStartParams = {},
    options: RequestOptions = {},
  ): Started<Run> {
    const start = () =>
      this.#transport.post<Run>(path`/v1/intent/audiences/${audienceId}/runs`, {
        idempotencyKey,
        credentials: "either",
        options,
      })
    return new Started(start, (run, wait) => this.wait(run, wait))
  }

  /**
   * Waits until a run is completed, failed or cancelled; check `status`. Polls at growing intervals, up to 5 seconds by
   * default. Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(run: Pick<Run, "audienceId" | "id">, options: WaitOptions<Run> = {}): Promise<Run> {
    return waitUntilFinished(
      this.#transport,
      {
        what: `the run ${run.id}`,
        poll: (signal) => this.get(run.audienceId, run.id, { signal }),
        isFinished: ({ status }) => status !== "queued" && status !== "running",
      },
      options,
    )
  }

  /**
   * Streams the results of a completed run as CSV. The server stores no file, and a slow reader can take as long as it
   * needs. Read it with `for await`, or write it with `toFile`. `timeoutMs` limits the wait for the first bytes, and
   * each further wait. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`).
   */
  exportCsv(
    audienceId: string,
    runId: string,
    { raw }: ExportCsvParams = {},
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/export.csv`,
      query: { raw },
      accept: "text/csv",
      credentials: "either",
      options,
    })
  }

  /**
   * Streams the results of a completed run as an Apache Parquet file, for DuckDB, pandas or Spark. It has the rows of
   * `results`: `company`, `geo`, `demographics` and `intent` are structs, `intent.matchedTopics` is a list. Everything
   * else is as in `exportCsv`.
   */
  exportParquet(
    audienceId: string,
    runId: string,
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/export.parquet`,
      accept: "application/vnd.apache.parquet",
      credentials: "either",
      options,
    })
  }

  /**
   * Streams the people a run found as the CSV file that an ad platform's customer list takes. Addresses, phone numbers
   * and, for Meta and Google, names are normalized by the platform's rules and hashed with SHA-256. People who are
   * suppressed now are left out. Everything else is as in `exportCsv`.
   */
  exportForAds(
    audienceId: string,
    runId: string,
    format: AdFormat,
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/export`,
      query: { format },
      accept: "text/csv",
      credentials: "either",
      options,
    })
  }
}

export interface RunStartParams {
  /**
   * Makes the call safe to repeat: the same key always returns the same run. 1 to 120 printable ASCII characters.
   * Default: a random key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

/** The ad platforms that have a file of their own. */
export type AdFormat = "meta" | "google" | "linkedin" | "tiktok" | "x"

/** Options of a CSV export. */
export interface ExportCsvParams {
  /** Whether to leave values unescaped that a spreadsheet would execute as a formula. Default: false. */
  readonly raw?: boolean | undefined
}
