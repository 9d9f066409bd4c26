// Runs of an audience: the people who were in it on one day of data. Results never change. spec 2.8, 2.11 to 2.13, 4.2
// and 5.9

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import { atCursor, PagedList } from "../core/paged-list.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import { Started, type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import type { Transport } from "../core/transport.ts"
import type { WebhookContact } from "../webhooks/intent-event.ts"
import type { ListMeta, ListPosition, ResponseMeta } from "../extensions/common.ts"
import type { ExportCsvParams } from "./exports.ts"

/** `footfall.runs`. Accepts an API key or an access token. A viewer's token can only read. */
export class Runs {
  readonly #transport: Transport

  constructor(transport: Transport) {
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

  /** Lists an audience's runs, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    params: RunListParams = {},
    options: RequestOptions = {},
  ): PagedList<Run, ListMeta> {
    return this.#transport.list<Run, ListMeta>(
      path`/v1/intent/audiences/${audienceId}/runs`,
      params,
      { credentials: "either", options },
    )
  }

  /** Gets a run. Errors: NotFoundError. */
  get(audienceId: string, runId: string, options: RequestOptions = {}): ApiCall<Run> {
    return this.#one("GET", audienceId, runId, options)
  }

  /** Cancels a queued run. Errors: NotFoundError, ConflictError (`RUN_NOT_QUEUED`). */
  cancel(audienceId: string, runId: string, options: RequestOptions = {}): ApiCall<Run> {
    return this.#one("DELETE", audienceId, runId, options)
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
   * Lists the people that a run found, highest score first. The list is empty until the run has completed (see
   * `meta.run`). Results never change, except that erased people are removed. Errors: NotFoundError, also for results
   * that are no longer stored; ConflictError (`RUN_NOT_COMPLETED`) for a run that failed or was cancelled;
   * BadRequestError (`INVALID_CURSOR`).
   */
  results(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<RunResult, RunResultsMeta> {
    return new PagedList<RunResult, RunResultsMeta>((cursor) =>
      this.#transport
        .request<
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
        .map(({ data, meta }) => {
          const { limit, offset, results, run, total } = data
          return { data: results, meta: { ...meta, run, total, limit, offset } }
        }),
    )
  }

  /** Gets statistics of the results. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`). */
  stats(
    audienceId: string,
    runId: string,
    options: RequestOptions = {},
  ): ApiCall<RunWithStatistics> {
    return this.#transport.get(path`/v1/intent/audiences/${audienceId}/runs/${runId}/stats`, {
      credentials: "either",
      options,
    })
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

  #one(
    method: ApiRequest["method"],
    audienceId: string,
    runId: string,
    options: RequestOptions,
  ): ApiCall<Run> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}`,
      credentials: "either",
      options,
    })
  }
}

/** `completed`, `failed` and `cancelled` are final. */
export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled"

/** `manual`: a request started it. `daily`: the server started it for a new day of data. */
export type RunType = "manual" | "daily"

export type RunErrorCode =
  | "CONFIG_INVALID"
  | "DATA_UNAVAILABLE"
  | "QUERY_TIMEOUT"
  | "RESULT_TOO_LARGE"
  | "STORAGE_ERROR"
  | "INTERNAL_ERROR"

/** A run. It keeps the configuration and data date from the time it was started. */
export interface Run {
  readonly id: string
  readonly audienceId: string
  readonly organizationId: string
  readonly status: RunStatus
  readonly runType: RunType
  /** SHA-256 in hex, as in `audiences.validate`. */
  readonly configHash: string
  /** The date of the scores, `YYYY-MM-DD`. */
  readonly dataDate: string
  /** Opaque. */
  readonly resultKey: string
  /** People who qualify, before filters and suppression; 0 until completed. */
  readonly candidateCount: number
  /** People in the results; 0 until completed. */
  readonly resultCount: number
  /** How many times a worker has picked it up, at most 3. */
  readonly attempts: number
  /** Time of the next attempt; null unless it is waiting for one. */
  readonly nextAttemptAt: string | null
  /** As given, otherwise `manual:<id>`. For a daily run `daily:<audienceId>:<dataDate>`. */
  readonly idempotencyKey: string
  /** Why it failed. While it waits for another attempt: why the last one failed. */
  readonly errorCode: RunErrorCode | null
  readonly errorMessage: string | null
  /** When a worker first picked it up. */
  readonly startedAt: string | null
  /** When it was completed, failed or cancelled. */
  readonly completedAt: string | null
  readonly cancelledAt: string | null
  /** When its creator was notified by email; null if no email was due. */
  readonly readyEmailSentAt: string | null
  /** The export created for that email. */
  readonly readyEmailExportId: string | null
  readonly readyEmailError: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RunStartParams {
  /**
   * Makes the call safe to repeat: the same key always returns the same run. 1 to 120 printable ASCII characters.
   * Default: a random key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

/** Default page size 25. */
export type RunListParams = ListPosition & {
  /** Default: all. */
  readonly status?: RunStatus | undefined
}

/** A person that a run found, with what was known about them at that time. */
export interface RunResult extends WebhookContact {}

/** `meta` of one page of results. */
export interface RunResultsMeta extends ResponseMeta {
  /** The run. While it is queued or running, there are no results yet. */
  readonly run: Run
  readonly total: number
  readonly limit: number
  /** Number of results before this page, also when you read them by cursor. */
  readonly offset: number
  readonly hasMore: boolean
  /** Opaque. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** A share of the people in the results. */
export interface RunShare {
  readonly count: number
  /** Percent of all people in the results, with 2 decimals; 0 if there are no results. */
  readonly percent: number
}

/** Path of a value in a result, and its column name in an export. */
export type RunResultPath =
  | "businessEmail"
  | "personalEmail"
  | "firstName"
  | "lastName"
  | "fullName"
  | "email"
  | "primaryContactEmail"
  | "emailStatus"
  | "phone"
  | "linkedinUrl"
  | "headline"
  | "jobTitle"
  | "seniority"
  | "department"
  | "company.name"
  | "company.domain"
  | "company.industry"
  | "company.industryGroup"
  | "company.revenueRange"
  | "company.size"
  | "company.linkedinUrl"
  | "geo.city"
  | "geo.state"
  | "geo.country"
  | "demographics.ageRange"
  | "demographics.gender"
  | "isB2b"

/** Statistics of a run's results. */
export interface RunStatistics {
  /** The run's `resultCount`. */
  readonly total: number
  /** How many people have a known value. */
  readonly fillRates: Readonly<Record<RunResultPath, RunShare>>
  /** Number of people by score, lowest bucket first. */
  readonly scoreHistogram: ReadonlyArray<
    RunShare & { readonly bucket: "50-69" | "70-89" | "90-99" }
  >
  /** With 2 decimals; null if there are no results. */
  readonly averages: { readonly score: number | null; readonly topicOverlap: number | null }
}

/** A completed run and its statistics. */
export interface RunWithStatistics {
  readonly run: Run
  readonly stats: RunStatistics
}
