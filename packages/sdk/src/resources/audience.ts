// A saved audience. Source: spec 2.8, 4.1 and 5.8.

import type { AudienceConfig, AudienceConfigParams } from "./audience-config.ts"
import type { ListPosition } from "./list-position.ts"
import type { Topic } from "./topic.ts"

/** `draft` has no runs yet; `active` may run, and every day by itself; `paused` does not run. */
export type AudienceStatus = "draft" | "active" | "paused"

/** By a slot of the organization, or by access to one run, after which the audience is paused. */
export type AudienceAccessType = "paid" | "one_shot"

/** What a saved audience is made of. */
export interface SavedAudienceConfig extends AudienceConfig {
  /** The site that the audience was built from. */
  readonly sourceUrl: string | null
  /** Those of `topicIds`, in their order. */
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
  /** `paid` for drafts. */
  readonly accessType: AudienceAccessType
  /** Whether it runs by itself for every new day of data. */
  readonly dailyRefreshEnabled: boolean
  /** People of the latest completed run; 0 before. */
  readonly audienceSize: number
  /** Id of a user; null when created with an API key. */
  readonly createdBy: string | null
  /** When the latest completed run completed. */
  readonly lastRefreshedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** Null unless paused. */
  readonly pausedAt: string | null
}

/** What a new audience is made of. */
export interface AudienceCreateParams {
  /** 1 to 255 characters. */
  readonly name: string
  /** `active` takes a slot at once. Default `draft`. */
  readonly status?: "draft" | "active" | undefined
  readonly config: AudienceConfigParams
}

/** What changes; what is left out stays. */
export interface AudienceUpdateParams {
  /** 1 to 255 characters. */
  readonly name?: string | undefined
  /** Nothing becomes a draft again. */
  readonly status?: AudienceStatus | undefined
  /** Replaces the whole configuration; counts from the next run on. */
  readonly config?: AudienceConfigParams | undefined
}

/** Of which status, and where reading starts. */
export type AudienceListParams = ListPosition & {
  /** Default: all. */
  readonly status?: AudienceStatus | undefined
}
