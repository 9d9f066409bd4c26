// Runs of an audience: the people who were in it on one day of data. Results never change. spec 2.8, 2.11 to 2.13, 4.2 and 5.9
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListMeta, ListPosition, ResponseMeta } from "../extensions/common.ts"
import type { RunResult, RunStatistics } from "../extensions/run-results.ts"

/** `footfall.runs`. Accepts an API key or an access token. A viewer's token can only read. */
export class Runs {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the runs of an audience, newest first. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError. */
  list(
    audienceId: string,
    params: RunListParams = {},
    options: RequestOptions = {},
  ): PagedList<Run, ListMeta> {
    return this.#transport.list(path`/v1/intent/audiences/${audienceId}/runs`, params, {
      credentials: "either",
      options,
    })
  }

  /** Returns one run with its status and counts. Errors: NotFoundError. */
  get(audienceId: string, runId: string, options: RequestOptions = {}): ApiCall<Run> {
    return this.#transport.get(path`/v1/intent/audiences/${audienceId}/runs/${runId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Cancels a run that is still queued. Any other run returns `RUN_NOT_QUEUED`. Errors: NotFoundError, ConflictError
   * (`RUN_NOT_QUEUED`).
   */
  cancel(audienceId: string, runId: string, options: RequestOptions = {}): ApiCall<Run> {
    return this.#transport.delete(path`/v1/intent/audiences/${audienceId}/runs/${runId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Returns the people a run found. While the run is queued or running, the status is 202 and `results` is empty.
   * Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (the run is unknown, or its results are no longer
   * stored), ConflictError (`RUN_NOT_COMPLETED`; the run failed or was cancelled).
   */
  results(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<RunResult, RunResultsMeta> {
    return this.#transport.list(
      path`/v1/intent/audiences/${audienceId}/runs/${runId}/results`,
      params,
      { rows: "results", credentials: "either", options },
    )
  }

  /**
   * Returns how many of a run's contacts have each field, and how their intent scores are distributed. Errors:
   * NotFoundError, ConflictError (`RUN_NOT_COMPLETED`).
   */
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
}

/** Status filter and position of a list of runs. Default page size 25. */
export type RunListParams = ListPosition & {
  /** Return only items with this status. */
  readonly status?: RunStatus | undefined
}

/** A run. It keeps the configuration and data date from the time it was started. */
export interface Run {
  /** Id of the run. */
  readonly id: string
  /** Id of the audience. */
  readonly audienceId: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Where the run stands. */
  readonly status: RunStatus
  /** What started it: someone, or the daily refresh. */
  readonly runType: RunType
  /** SHA-256 in hex, as a validation returns it. */
  readonly configHash: string
  /** The date of the scores, `YYYY-MM-DD`; today for a segment alone. */
  readonly dataDate: string
  /** Names the people of the run. Opaque. */
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
  /** Why it failed; null if it did not. */
  readonly errorMessage: string | null
  /** When a worker first picked it up. */
  readonly startedAt: string | null
  /** When it was completed, failed or cancelled. */
  readonly completedAt: string | null
  /** When it was cancelled; null if it was not. */
  readonly cancelledAt: string | null
  /** When its creator was notified by email; null if no email was due. */
  readonly readyEmailSentAt: string | null
  /** The export created for that email. */
  readonly readyEmailExportId: string | null
  /** Why the email about its end could not be sent; null if it was. */
  readonly readyEmailError: string | null
  /** When the run was created. */
  readonly createdAt: string
  /** When the run was last changed. */
  readonly updatedAt: string
}

/** `meta` of one page of results. */
export interface RunResultsMeta extends ResponseMeta {
  /** The run. While it is queued or running, there are no results yet. */
  readonly run: Run
  /** How many people there are. */
  readonly total: number
  /** Rows per page. */
  readonly limit: number
  /** Number of results before this page, also when you read them by cursor. */
  readonly offset: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** A completed run and its statistics. */
export interface RunWithStatistics {
  /** The run. */
  readonly run: Run
  /** Figures about its people. */
  readonly stats: RunStatistics
}

/** `completed`, `failed` and `cancelled` are final. */
export type RunStatus = "queued" | "running" | "completed" | "failed" | "cancelled"

/** `manual`: a request started it. `daily`: the server started it for a new day of data. */
export type RunType = "manual" | "daily"

/** Why it failed. While it waits for another attempt: why the last one failed. */
export type RunErrorCode =
  | "CONFIG_INVALID"
  | "DATA_UNAVAILABLE"
  | "QUERY_TIMEOUT"
  | "RESULT_TOO_LARGE"
  | "STORAGE_ERROR"
  | "INTERNAL_ERROR"
