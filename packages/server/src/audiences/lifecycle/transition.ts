// How an audience moves between its states, as a value (spec 4.1). What is asked of the
// organization, a free slot or the access to one run, the caller has found out.
import { Result, Schema } from "effect"
import type { AccessType, AudienceStatus } from "./audience.ts"

/** No slot is free, and there is no access to one run. */
export class SlotsFull extends Schema.TaggedError<SlotsFull>()("SlotsFull", {
  used: Schema.Int,
  limit: Schema.Int,
}) {}

/** A state that is not reached from the present one. */
export class TransitionInvalid extends Schema.TaggedError<TransitionInvalid>()(
  "TransitionInvalid",
  { status: Schema.String, requested: Schema.String },
) {}

/** What of an audience changes with its status. */
export interface Standing {
  readonly status: AudienceStatus
  readonly accessType: AccessType
  readonly dailyRefreshEnabled: boolean
}

/** Of the organization, at the moment of an activation. `slots`: null is unlimited. */
export interface Slots {
  readonly slots: number | null
  readonly slotsUsed: number
  readonly isOneShotEligible: boolean
}

/** Nothing of an organization is asked of a draft. */
export const draft: Standing = { status: "draft", accessType: "paid", dailyRefreshEnabled: false }

/** A free slot comes before the access to one run, which does not refresh by the day. */
export const activated = (organization: Slots): Result.Result<Standing, SlotsFull> => {
  const { isOneShotEligible, slots: limit, slotsUsed: used } = organization
  if (limit === null || used < limit) return Result.succeed(active("paid"))
  if (isOneShotEligible) return Result.succeed(active("one_shot"))
  return Result.fail(new SlotsFull({ used, limit }))
}

const active = (accessType: AccessType): Standing => ({
  status: "active",
  accessType,
  dailyRefreshEnabled: accessType === "paid",
})

/** A request for a status, with what the organization has at that moment. */
export interface Move {
  readonly requested: AudienceStatus
  readonly organization: Slots
}

/** Where a request leads. The present status again changes nothing; nothing becomes a draft again. */
export const moved = (
  present: Standing,
  { organization, requested }: Move,
): Result.Result<Standing, SlotsFull | TransitionInvalid> => {
  const { status } = present
  if (requested === status) return Result.succeed(present)
  if (requested === "active") return activated(organization)
  if (requested === "paused" && status === "active") {
    return Result.succeed({ ...present, status: "paused", dailyRefreshEnabled: false })
  }
  return Result.fail(new TransitionInvalid({ status, requested }))
}
