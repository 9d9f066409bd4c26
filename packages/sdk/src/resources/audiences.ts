// Audiences: people who have a score in a given range for enough topics, and who match the filters. spec 2.8 to 2.11, 4.1 and 5.8
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { AudienceFilters, AudienceFilter } from "../extensions/audience-filters.ts"
import type { ListMeta, Deleted, ListPosition } from "../extensions/common.ts"
import type { Topic } from "./topics.ts"

/**
 * `footfall.audiences`. Accepts an API key or an access token. `preview` needs an API key. A viewer's token can
 * only read.
 */
export class Audiences {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Returns the organization's audiences, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: AudienceListParams = {},
    options: RequestOptions = {},
  ): PagedList<Audience, ListMeta> {
    return this.#transport.list("/v1/intent/audiences", params, { credentials: "either", options })
  }

  /**
   * Creates an audience as a draft. With `status` set to `active`, the audience uses a slot and refreshes every day.
   * Returns `SLOTS_FULL` if no slot is free. Errors: BadRequestError (see `issues` and `unknownTopicIds`),
   * PermissionError (`SLOTS_FULL`: see `slots`), ConflictError (`AUDIENCE_LIMIT_REACHED`).
   */
  create(params: AudienceCreateParams, options: CreateOptions = {}): ApiCall<Audience> {
    return this.#transport.create("/v1/intent/audiences", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns one audience. Errors: NotFoundError. */
  get(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.#transport.get(path`/v1/intent/audiences/${audienceId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Updates the name, the configuration or the status. `config` replaces the whole configuration and applies from the
   * next run. Set `status` to `active` or `paused` to start or stop the daily refresh. Errors: BadRequestError (see
   * `issues` and `unknownTopicIds`), PermissionError (`SLOTS_FULL`: see `slots`), NotFoundError, ConflictError
   * (`INVALID_TRANSITION`).
   */
  update(
    audienceId: string,
    params: AudienceUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Audience> {
    return this.#transport.patch(path`/v1/intent/audiences/${audienceId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Deletes an audience. Cancels its queued runs and deliveries, and stops its destinations. Contacts already
   * delivered are not affected. Errors: NotFoundError.
   */
  delete(audienceId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/intent/audiences/${audienceId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Checks an audience configuration without saving it, and returns its normal form. Two configurations with the same
   * `configHash` find the same people. Errors: BadRequestError (see `issues` and `unknownTopicIds`).
   */
  validate(
    params: AudienceConfigParams = {},
    options: RequestOptions = {},
  ): ApiCall<AudienceValidation> {
    return this.#transport.post("/v1/intent/audiences/validate", {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /**
   * Counts the people an audience would find and returns a masked sample. Saves nothing. Errors: BadRequestError (see
   * `issues` and `unknownTopicIds`), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  preview(
    params: AudiencePreviewParams = {},
    options: RequestOptions = {},
  ): ApiCall<AudiencePreview> {
    return this.#transport.post("/v1/intent/audiences/preview", {
      body: params,
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }
}

/** Status filter and position of an audience list. */
export type AudienceListParams = ListPosition & {
  /** Return only items with this status. */
  readonly status?: AudienceStatus | undefined
}

/** A saved audience. */
export interface Audience {
  /** Id of the audience. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the audience, 1 to 255 characters. */
  readonly name: string
  /** `draft` until it is activated. */
  readonly status: AudienceStatus
  /** Whom the audience finds. */
  readonly config: SavedAudienceConfig
  /** Always `paid` for drafts. */
  readonly accessType: AudienceAccessType
  /** Whether the audience runs automatically for every new day of data. */
  readonly dailyRefreshEnabled: boolean
  /** People in the latest completed run; 0 before the first. */
  readonly audienceSize: number
  /** The user's id; null if created with an API key. */
  readonly createdBy: string | null
  /** When the latest completed run ended. */
  readonly lastRefreshedAt: string | null
  /** When the audience was created. */
  readonly createdAt: string
  /** When the audience was last changed. */
  readonly updatedAt: string
  /** When the audience was paused; null unless it is. */
  readonly pausedAt: string | null
}

/** A new audience. */
export interface AudienceCreateParams {
  /** 1 to 255 characters. */
  readonly name: string
  /** `active` requires a free slot, or access to one run. Default `draft`. */
  readonly status?: "draft" | "active" | undefined
  /** Who is in the audience. */
  readonly config: AudienceConfigParams
}

/** Fields to change. Omitted fields keep their values. */
export interface AudienceUpdateParams {
  /** 1 to 255 characters. */
  readonly name?: string | undefined
  /** `active` requires a free slot, or access to one run. */
  readonly status?: AudienceStatus | undefined
  /** Replaces the whole configuration, from the next run. */
  readonly config?: AudienceConfigParams | undefined
}

/** Topics, scores and filters of an audience. */
export interface AudienceConfigParams {
  /** Id of a segment of people. Without topics, everyone in it qualifies; with topics, a person must satisfy both. */
  readonly segmentId?: string | null | undefined
  /** Ids of topics, at most 10. Required without a segment. Duplicates are removed. */
  readonly topicIds?: ReadonlyArray<number> | undefined
  /** Lowest score to include. Default 70. Has no effect without topics. From 1 to 100. */
  readonly minScore?: number | undefined
  /** Highest score to include. Default 100. Has no effect without topics. From 1 to 100. */
  readonly maxScore?: number | undefined
  /** Number of topics that need a score in this range. Default 1. Has no effect without topics. From 1 to 10. */
  readonly minTopicOverlap?: number | undefined
  /** Who to include. A person must match every field, with any of its values. */
  readonly filters?: AudienceFilters | null | undefined
  /** The site the audience was built from, at most 2048 characters. */
  readonly sourceUrl?: string | null | undefined
}

/** A valid configuration. */
export interface AudienceValidation {
  /** Always `true`. An invalid config returns 400. */
  readonly valid: true
  /** SHA-256 in hex. Equivalent configurations have the same hash. */
  readonly configHash: string
  /** The config as it would be stored. */
  readonly normalizedConfig: AudienceConfig
  /** Names of the filters in use. */
  readonly appliedFilters: ReadonlyArray<AudienceFilter>
}

/** Topics, scores and filters of a preview. */
export interface AudiencePreviewParams {
  /** Id of a segment of people. Without topics, everyone in it qualifies; with topics, a person must satisfy both. */
  readonly segmentId?: string | null | undefined
  /** Ids of topics, at most 10. Required without a segment. Duplicates are removed. */
  readonly topicIds?: ReadonlyArray<number> | undefined
  /** Lowest score to include. Default 70. Has no effect without topics. From 1 to 100. */
  readonly minScore?: number | undefined
  /** Highest score to include. Default 100. Has no effect without topics. From 1 to 100. */
  readonly maxScore?: number | undefined
  /** Number of topics that need a score in this range. Default 1. Has no effect without topics. From 1 to 10. */
  readonly minTopicOverlap?: number | undefined
  /** Who to include. A person must match every field, with any of its values. */
  readonly filters?: AudienceFilters | null | undefined
  /** Also count who is left after each part of the configuration, and people by score. Default `false`. */
  readonly explain?: boolean | undefined
}

/** The people that a configuration selects now. */
export interface AudiencePreview {
  /** Exact number of people. */
  readonly totalCount: number
  /** Some of them: at most 50, highest score first. */
  readonly sample: ReadonlyArray<AudiencePerson>
  /** Names this preview. Opaque. Valid for 15 minutes. The same configuration and date give the same key. */
  readonly previewKey: string
  /** The date of the scores, `YYYY-MM-DD`; today for a segment alone. */
  readonly dataDate: string
  /** The same hash as a validation returns. */
  readonly configHash: string
  /** Null without `explain`, and if it took too long. */
  readonly explanation: AudienceExplanation | null
  /** True if the explanation took longer than 10 seconds. The count stands. */
  readonly explanationTooSlow: boolean
}

/**
 * A `draft` has no runs yet. An `active` audience can run, including automatically every day. A `paused` audience
 * does not run.
 */
export type AudienceStatus = "draft" | "active" | "paused"

/** The configuration of a saved audience. */
export interface SavedAudienceConfig extends AudienceConfig {
  /** Site that the topics were taken from; null if none. */
  readonly sourceUrl: string | null
  /** The topics, with their names. */
  readonly topics: ReadonlyArray<Topic>
}

/** `paid` uses one of the organization's slots. `one_shot` allows one run, then the audience is paused. */
export type AudienceAccessType = "paid" | "one_shot"

/** A configuration with defaults filled in and values normalized. */
export interface AudienceConfig {
  /** The segment that people must be in; null without one. */
  readonly segmentId: string | null
  /** Ids of the topics: at most 10, each in the catalog. Empty for everyone in the segment. */
  readonly topicIds: ReadonlyArray<number>
  /** Lowest score that counts. 1 to 100, default 70. */
  readonly minScore: number
  /** Highest score that counts. `minScore` to 100, default 100. */
  readonly maxScore: number
  /** How many of the topics a person must have such a score for. 1 to the number of topics, default 1. */
  readonly minTopicOverlap: number
  /** Whom else the audience leaves out. Default: no one. */
  readonly filters: AudienceFilters
}

/** A person in a preview, with a masked email address. */
export interface AudiencePerson {
  /** SHA-256 of the email address. */
  readonly hem: string
  /** The person's highest score among the topics, 1 to 100; null without topics. */
  readonly intentScore: number | null
  /** The first of the matched topics; null without topics. */
  readonly topicId: number | null
  /** For example `j***@acme.example`; empty if no email address is known. */
  readonly email: string
  /** Empty if unknown. */
  readonly company: string
  /** Empty if unknown. */
  readonly jobTitle: string
  /** Always `true`: the address is shortened. */
  readonly masked: true
}

/** How the parts of a configuration narrow an audience down. */
export interface AudienceExplanation {
  /** How many people are left after each part, in order. */
  readonly parts: ReadonlyArray<AudiencePart>
  /** People by score, lowest first, whatever `minScore` and `maxScore` are. Empty without topics. */
  readonly scores: ReadonlyArray<AudienceScoreCount>
}

/** One part of a configuration. */
export interface AudiencePart {
  /** `topics`, `segment`, the name of a filter, or `suppression`. */
  readonly part: string
  /** People who are left after it and the parts before. */
  readonly count: number
}

/** The people with one score. */
export interface AudienceScoreCount {
  /** Their highest score among the topics. */
  readonly score: number
  /** How many would be in the audience. */
  readonly people: number
}
