import fc from "fast-check"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  activated,
  type AudienceStatus,
  draft,
  moved,
  type Slots,
  type AudienceState,
} from "./audience.ts"

const slots = fc.record({
  slots: fc.option(fc.nat(5)),
  slotsUsed: fc.nat(5),
  isOneShotEligible: fc.boolean(),
})
const statuses = ["draft", "active", "paused"] as const
const standing = fc.record({
  status: fc.constantFrom(...statuses),
  accessType: fc.constantFrom("paid", "one_shot"),
  dailyRefreshEnabled: fc.boolean(),
}) as fc.Arbitrary<AudienceState>

const free: Slots = { slots: null, slotsUsed: 0, isOneShotEligible: false }
const standingOf = (status: AudienceStatus): AudienceState =>
  status === "active" ? Result.getOrThrow(activated(free)) : { ...draft, status }

describe("an activation", () => {
  it("uses a free slot first, then one-shot access, and is refused without either", () => {
    fc.assert(
      fc.property(slots, (organization) => {
        const isFree = organization.slots === null || organization.slotsUsed < organization.slots
        const outcome = Result.match(activated(organization), {
          onSuccess: ({ accessType }) => accessType as string,
          onFailure: ({ limit, used }) => `${used} of ${limit}`,
        })
        const { isOneShotEligible, slots: limit, slotsUsed } = organization
        expect(outcome).toBe(
          isFree ? "paid" : isOneShotEligible ? "one_shot" : `${slotsUsed} of ${limit}`,
        )
      }),
    )
  })
})

describe("a move", () => {
  it.each([
    ["draft", "draft", "draft"],
    ["draft", "active", "active"],
    ["draft", "paused", "refused"],
    ["active", "draft", "refused"],
    ["active", "active", "active"],
    ["active", "paused", "paused"],
    ["paused", "draft", "refused"],
    ["paused", "active", "active"],
    ["paused", "paused", "paused"],
  ] as const)("from %s by %s: %s", (from, requested, to) => {
    const outcome = moved(standingOf(from), { requested, organization: free })

    expect(
      Result.match(outcome, { onSuccess: ({ status }) => status, onFailure: () => "refused" }),
    ).toBe(to)
  })

  it("enables a daily refresh only for active paid audiences", () => {
    fc.assert(
      fc.property(
        standing,
        fc.constantFrom(...statuses),
        slots,
        (current, requested, organization) => {
          const outcome = moved(current, { requested, organization })
          if (Result.isFailure(outcome) || outcome.success === current) return
          const { accessType, dailyRefreshEnabled, status } = outcome.success
          expect(dailyRefreshEnabled).toBe(status === "active" && accessType === "paid")
        },
      ),
    )
  })
})
