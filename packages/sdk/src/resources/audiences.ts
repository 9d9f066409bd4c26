// Audiences: people who have a score in a given range for enough topics, and who match the filters. spec 2.8 to 2.11,
// 4.1 and 5.8

import type { ApiCall } from "../core/api-call.ts"
import type { ApiRequest } from "../core/api-request.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  AudienceFilter,
  AudienceFilterCounts,
  AudienceFilters,
  AudienceFilterValues,
} from "../extensions/audience-filters.ts"
import type { Deleted, ListMeta, ListPosition } from "../extensions/common.ts"
import type { Topic } from "./topics.ts"

/** Whether to count the people for each filter value. */
export interface AudienceFiltersParams {
  /** Default false. */
  readonly includeCounts?: boolean | undefined
}

/**
 * `footfall.audiences`. Accepts an API key or an access token. `preview` needs an API key. A viewer's token can only
 * read.
 */
export class Audiences {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the values of every filter that accepts a list. With `includeCounts`, also counts the people for each value.
   */
  filters(
    params: { readonly includeCounts: true },
    options?: RequestOptions,
  ): ApiCall<AudienceFilterCounts>
  filters(
    params?: { readonly includeCounts?: false | undefined },
    options?: RequestOptions,
  ): ApiCall<AudienceFilterValues>
  filters(
    params?: AudienceFiltersParams,
    options?: RequestOptions,
  ): ApiCall<AudienceFilterValues | AudienceFilterCounts>
  filters(
    { includeCounts }: AudienceFiltersParams = {},
    options: RequestOptions = {},
  ): ApiCall<AudienceFilterValues | AudienceFilterCounts> {
    return this.#transport.get("/v1/intent/audiences/filters", {
      query: { include: includeCounts === true ? "counts" : undefined },
      credentials: "either",
      options,
    })
  }

  /**
   * Validates and normalizes a configuration, without selecting people.
   * Errors: BadRequestError (see `issues` and `unknownTopicIds`).
   */
  validate(
    params: AudienceConfigParams,
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
   * Counts the people that a configuration selects now, and returns a masked sample of them. Errors: BadRequestError
   * (see `issues` and `unknownTopicIds`).
   */
  preview(params: AudiencePreviewParams, options: RequestOptions = {}): ApiCall<AudiencePreview> {
    return this.#transport.post("/v1/intent/audiences/preview", {
      body: params,
      isRepeatable: true,
      credentials: "apiKey",
      options,
    })
  }

  /** Lists the saved audiences, newest first. Errors: BadRequestError (`INVALID_CURSOR`). */
  list(
    params: AudienceListParams = {},
    options: RequestOptions = {},
  ): PagedList<Audience, ListMeta> {
    return this.#transport.list<Audience, ListMeta>("/v1/intent/audiences", params, {
      credentials: "either",
      options,
    })
  }

  /**
   * Creates an audience, at most 50 per organization. It does not start a run. Errors: BadRequestError (see `issues`
   * and `unknownTopicIds`), PermissionError (`SLOTS_FULL`, see `slots`), ConflictError (`AUDIENCE_LIMIT_REACHED`).
   */
  create(params: AudienceCreateParams, options: CreateOptions = {}): ApiCall<Audience> {
    return this.#transport.create("/v1/intent/audiences", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Gets an audience. Errors: NotFoundError. */
  get(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.#one("GET", audienceId, { options })
  }

  /**
   * Updates the given fields. On an error, none of them change. Errors: BadRequestError (see `issues` and
   * `unknownTopicIds`), PermissionError (`SLOTS_FULL`, see `slots`), NotFoundError, ConflictError
   * (`INVALID_TRANSITION`).
   */
  update(
    audienceId: string,
    params: AudienceUpdateParams,
    options: RequestOptions = {},
  ): ApiCall<Audience> {
    return this.#one("PATCH", audienceId, { body: params, options })
  }

  /**
   * Activates an audience. This uses a slot, or the access to one run. An audience that is already active stays active.
   * Errors: PermissionError (`SLOTS_FULL`, see `slots`), NotFoundError.
   */
  activate(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.update(audienceId, { status: "active" }, options)
  }

  /**
   * Pauses an audience. This frees its slot and stops the daily refresh. A run in progress still finishes. Errors:
   * NotFoundError, ConflictError (`INVALID_TRANSITION`) for a draft.
   */
  pause(audienceId: string, options: RequestOptions = {}): ApiCall<Audience> {
    return this.update(audienceId, { status: "paused" }, options)
  }

  /**
   * Deletes an audience and its destinations, and cancels queued work. Contacts already delivered stay with their
   * receivers. Errors: NotFoundError.
   */
  delete(audienceId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#one("DELETE", audienceId, { options })
  }

  #one<Data>(
    method: ApiRequest["method"],
    audienceId: string,
    call: Pick<ApiRequest, "body" | "options">,
  ): ApiCall<Data> {
    return this.#transport.requestData({
      method,
      path: path`/v1/intent/audiences/${audienceId}`,
      credentials: "either",
      ...call,
    })
  }
}

/**
 * A `draft` has no runs yet. An `active` audience can run, including automatically every day. A `paused` audience does
 * not run.
 */
export type AudienceStatus = "draft" | "active" | "paused"

/** `paid` uses one of the organization's slots. `one_shot` allows one run, then the audience is paused. */
export type AudienceAccessType = "paid" | "one_shot"

/** The configuration of a saved audience. */
export interface SavedAudienceConfig extends AudienceConfig {
  /** The site that the audience was created from. */
  readonly sourceUrl: string | null
  /** The topics of `topicIds`, in the same order. */
  readonly topics: ReadonlyArray<Topic>
}

/** A saved audience. */
export interface Audience {
  readonly id: string
  readonly organizationId: string
  /** 1 to 255 characters. */
  readonly name: string
  readonly status: AudienceStatus
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
  readonly createdAt: string
  readonly updatedAt: string
  /** Null unless paused. */
  readonly pausedAt: string | null
}

/** A new audience. */
export interface AudienceCreateParams {
  /** 1 to 255 characters. */
  readonly name: string
  /** `active` uses a slot immediately. Default `draft`. */
  readonly status?: "draft" | "active" | undefined
  readonly config: AudienceConfigParams
}

/** Fields to change. Omitted fields keep their values. */
export interface AudienceUpdateParams {
  /** 1 to 255 characters. */
  readonly name?: string | undefined
  /** An audience cannot become a draft again. */
  readonly status?: AudienceStatus | undefined
  /** Replaces the whole configuration, starting with the next run. */
  readonly config?: AudienceConfigParams | undefined
}

/** Status filter and position of an audience list. */
export type AudienceListParams = ListPosition & {
  /** Default: all. */
  readonly status?: AudienceStatus | undefined
}

/** Topics, scores and filters of a preview. */
export interface AudiencePreviewParams {
  /** 1 to 10 ids, each in the catalog. Duplicates are removed. */
  readonly topicIds: ReadonlyArray<number>
  /** Lowest score that counts. 1 to 100, default 70. */
  readonly minScore?: number | undefined
  /** Highest score that counts. `minScore` to 100, default 100. */
  readonly maxScore?: number | undefined
  /** How many of the topics a person must have such a score for. 1 to the number of topics, default 1. */
  readonly minTopicOverlap?: number | undefined
  /** Default: none. */
  readonly filters?: AudienceFilters | null | undefined
}

/** Topics, scores and filters of an audience. */
export interface AudienceConfigParams extends AudiencePreviewParams {
  /** The site that the audience was created from. */
  readonly sourceUrl?: string | null | undefined
}

/** A configuration with defaults filled in and values normalized. */
export interface AudienceConfig {
  readonly topicIds: ReadonlyArray<number>
  readonly minScore: number
  readonly maxScore: number
  readonly minTopicOverlap: number
  readonly filters: AudienceFilters
}

/** A valid configuration. */
export interface AudienceValidation {
  readonly valid: true
  /** SHA-256 in hex. Equivalent configurations have the same hash. */
  readonly configHash: string
  readonly normalizedConfig: AudienceConfig
  /** Names of the filters in use. */
  readonly appliedFilters: ReadonlyArray<AudienceFilter>
}

/** The people that a configuration selects now. */
export interface AudiencePreview {
  /** Exact number of people. */
  readonly totalCount: number
  /** At most 50 people, highest score first. */
  readonly sample: ReadonlyArray<AudiencePerson>
  /** Opaque. Valid for 15 minutes. The same configuration and date give the same key. */
  readonly previewKey: string
  /** The date of the scores, `YYYY-MM-DD`. */
  readonly dataDate: string
  /** The same hash as `validate` returns. */
  readonly configHash: string
}

/** A person in a preview, with a masked email address. */
export interface AudiencePerson {
  /** SHA-256 of the email address. */
  readonly hem: string
  /** The person's highest score among the topics. 1 to 100. */
  readonly intentScore: number
  /** The topic with that score. */
  readonly topicId: number
  /** For example `j***@acme.example`; empty if no email address is known. */
  readonly email: string
  /** Empty if unknown. */
  readonly company: string
  /** Empty if unknown. */
  readonly jobTitle: string
  readonly masked: true
}
