// An audience's state transitions, as values (spec 4.1). The caller has already determined whether the organization has
// a free slot or access to a single run.
import { Result, Schema } from "effect"
import type { AccessType, AudienceStatus } from "./audience.ts"

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
export interface Standing {
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

/** A draft needs nothing from its organization. */
export const draft: Standing = { status: "draft", accessType: "paid", dailyRefreshEnabled: false }

/** A free slot wins over access to a single run, which has no daily refresh. */
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

/** A requested status, with what the organization has at that moment. */
export interface Move {
  readonly requested: AudienceStatus
  readonly organization: Slots
}

/** The result of a request. Requesting the current status changes nothing; nothing becomes a draft again. */
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
