// An audience that is kept (spec 2.8), and the bodies that create and change
// one. A configuration is replaced as a whole.
import { Context, type Effect, Schema } from "effect"
import { described } from "../../http/fields.ts"
import { requestText } from "../../http/request-text.ts"
import { Topic } from "../../topics/topic.ts"
import { AppliedFilters, ConfigRequest } from "../config-request.ts"
import type { DatabaseError } from "../../database/database-error.ts"

/** Audiences that an organization can save; deleted ones do not count. */ // spec 10.3
export const audiencesMax = 50
const nameLengthMax = 255

export const AudienceStatus = Schema.Literals(["draft", "active", "paused"])
export type AudienceStatus = typeof AudienceStatus.Type

/** By a slot of the organization, or by access to one run. */ // spec 4.1
export const AccessType = Schema.Literals(["paid", "one_shot"])
export type AccessType = typeof AccessType.Type

export class Audience extends Schema.Opaque<Audience>()(
  Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    name: Schema.String,
    status: AudienceStatus,
    config: Schema.Struct({
      topicIds: Schema.Array(Schema.Int),
      minScore: Schema.Int,
      maxScore: Schema.Int,
      minTopicOverlap: Schema.Int,
      filters: AppliedFilters,
      sourceUrl: Schema.NullOr(Schema.String),
      /** Those of `topicIds`, in their order. */
      topics: Schema.Array(Topic),
    }),
    accessType: AccessType,
    dailyRefreshEnabled: Schema.Boolean,
    /** `resultCount` of the latest completed run; 0 before. */
    audienceSize: Schema.Int,
    /** A user; null when created with an API key. */
    createdBy: Schema.NullOr(Schema.String),
    /** `completedAt` of the latest completed run. */
    lastRefreshedAt: Schema.NullOr(Schema.String),
    createdAt: Schema.String,
    updatedAt: Schema.String,
    pausedAt: Schema.NullOr(Schema.String),
  }).annotate({ identifier: "Audience" }),
) {}

const name = described(
  `1 to ${nameLengthMax} characters.`,
  requestText({ lengthMin: 1, lengthMax: nameLengthMax }),
)

/** Body of a creation. No audience begins as paused. */ // spec 4.2
export class NewAudience extends Schema.Opaque<NewAudience>()(
  Schema.Struct({
    name,
    status: described(
      "`active` needs a free slot, or access to one run. Default `draft`.",
      Schema.optionalKey(Schema.Literals(["draft", "active"])),
    ),
    config: described("Who is in the audience.", ConfigRequest),
  }).annotate({ identifier: "NewAudience" }),
) {}

/** Body of a change: what is left out stays. */ // spec 5.8
export class AudienceChange extends Schema.Opaque<AudienceChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    status: described(
      "`active` needs a free slot, or access to one run.",
      Schema.optionalKey(AudienceStatus),
    ),
    config: described(
      "Replaces the whole configuration, from the next run.",
      Schema.optionalKey(ConfigRequest),
    ),
  }).annotate({ identifier: "AudienceChange" }),
) {}

// What later rooms do when an audience changes. This room declares it and calls it inside the transaction
// of the change, with the audience locked; runs, destinations and deliveries do their part, and the join
// puts the parts together (spec 4.1, 5.8).
export class AudienceChanges extends Context.Service<
  AudienceChanges,
  {
    /** A queued daily run is cancelled; a running run finishes. */
    paused(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
    /** Queued runs and deliveries are cancelled, destinations stop, for good. */
    deleted(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/audiences/AudienceChanges") {}
