// A saved audience (spec 2.8), and the bodies of create and update requests. A configuration is always replaced as a
// whole.
import { Context, type Effect, Result, Schema } from "effect"
import { described, requestText } from "../../../platform/http/fields.ts"
import { Topic } from "../../topics/topic.ts"
import { AppliedFilters, ConfigRequest } from "../config-request.ts"
import type { DatabaseError } from "../../../platform/database/database-error.ts"

/** Maximum audiences per organization, not counting deleted ones. */ // spec 10.3
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
      segmentId: Schema.NullOr(Schema.String),
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
    /** A user; null if created with an API key. */
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

/** Body of a create request. New audiences can't be paused. */ // spec 4.2
export class NewAudience extends Schema.Opaque<NewAudience>()(
  Schema.Struct({
    name,
    status: described(
      "`active` requires a free slot, or access to one run. Default `draft`.",
      Schema.optionalKey(Schema.Literals(["draft", "active"])),
    ),
    config: described("Who is in the audience.", ConfigRequest),
  }).annotate({ identifier: "NewAudience" }),
) {}

/** Body of an update request. Omitted fields do not change. */ // spec 5.8
export class AudienceChange extends Schema.Opaque<AudienceChange>()(
  Schema.Struct({
    name: Schema.optionalKey(name),
    status: described(
      "`active` requires a free slot, or access to one run.",
      Schema.optionalKey(AudienceStatus),
    ),
    config: described(
      "Replaces the whole configuration, from the next run.",
      Schema.optionalKey(ConfigRequest),
    ),
  }).annotate({ identifier: "AudienceChange" }),
) {}

// Lets later rooms react to changes of an audience. Declared here and called in the transaction of the change, with the
// audience locked. Runs, destinations and deliveries each implement a part; the parts are combined when the server is
// assembled (spec 4.1, 5.8).
export class AudienceChanges extends Context.Service<
  AudienceChanges,
  {
    /** Cancels a queued daily run; a running one finishes. */
    paused(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
    /** Cancels queued runs and deliveries and stops the destinations for good. */
    deleted(organizationId: string, audienceId: string): Effect.Effect<void, DatabaseError>
  }
>()("@footfall/server/audiences/AudienceChanges") {}

// An audience's state transitions, as values (spec 4.1). The caller has already checked whether the organization has a
// free slot or access to a single run.

/** No slot is free, and there is no access to a single run. */
export class SlotsFull extends Schema.TaggedError<SlotsFull>()("SlotsFull", {
  used: Schema.Int,
  limit: Schema.Int,
}) {}

/** The requested state can't be reached from the current one. */
export class TransitionInvalid extends Schema.TaggedError<TransitionInvalid>()(
  "TransitionInvalid",
  { status: Schema.String, requested: Schema.String },
) {}

/** The fields of an audience that change with its status. */
export interface AudienceState {
  readonly status: AudienceStatus
  readonly accessType: AccessType
  readonly dailyRefreshEnabled: boolean
}

/** The organization's slots when an audience is activated. `slots`: null means unlimited. */
export interface Slots {
  readonly slots: number | null
  readonly slotsUsed: number
  readonly isOneShotEligible: boolean
}

/** A draft uses nothing of its organization's limits. */
export const draft: AudienceState = {
  status: "draft",
  accessType: "paid",
  dailyRefreshEnabled: false,
}

/** A free slot is used before access to a single run, which has no daily refresh. */
export const activated = (organization: Slots): Result.Result<AudienceState, SlotsFull> => {
  const { isOneShotEligible, slots: limit, slotsUsed: used } = organization
  if (limit === null || used < limit) return Result.succeed(active("paid"))
  if (isOneShotEligible) return Result.succeed(active("one_shot"))
  return Result.fail(new SlotsFull({ used, limit }))
}

const active = (accessType: AccessType): AudienceState => ({
  status: "active",
  accessType,
  dailyRefreshEnabled: accessType === "paid",
})

/** A requested status, and the organization's slots at that time. */
interface Move {
  readonly requested: AudienceStatus
  readonly organization: Slots
}

/** Returns the result of a request. Requesting the current status changes nothing; nothing becomes a draft again. */
export const moved = (
  current: AudienceState,
  { organization, requested }: Move,
): Result.Result<AudienceState, SlotsFull | TransitionInvalid> => {
  const { status } = current
  if (requested === status) return Result.succeed(current)
  if (requested === "active") return activated(organization)
  if (requested === "paused" && status === "active") {
    return Result.succeed({ ...current, status: "paused", dailyRefreshEnabled: false })
  }
  return Result.fail(new TransitionInvalid({ status, requested }))
}
