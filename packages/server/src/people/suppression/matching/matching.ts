// What rules do, or would do, to visitors (spec 5.5). Read-only; the sync cycle sets the marks (../cycle/).
import { Context, Effect, Layer, Schema } from "effect"
import type { RuleCounts } from "../rule.ts"
import { readSubmission, type Submission } from "../submission.ts"
import { SuppressionStore } from "../store.ts"
import { type Industry, MatchingStore } from "./store.ts"

export class PersonNotFound extends Schema.TaggedError<PersonNotFound>()("PersonNotFound", {}) {}

export interface Preview extends Pick<Submission, "rejected" | "rejectedCount"> {
  readonly wouldAdd: number
  readonly duplicates: number
  /** People seen in the last 30 days who match these rules but no stored rule. */
  readonly affectedVisitors: number
  /** A person counts once for each type that matches. */
  readonly affectedByType: RuleCounts
}

export interface Industries {
  readonly industries: ReadonlyArray<Industry>
  readonly visitorsWithoutIndustry: number
  readonly suppressedIndustryRules: number
}

const make = Effect.gen(function* () {
  const store = yield* MatchingStore
  const rules = yield* SuppressionStore

  const preview = Effect.fn("Matching.preview")(function* (
    organizationId: string,
    rows: ReadonlyArray<unknown>,
  ) {
    const submission = readSubmission(rows)
    const { affectedVisitors, sample, wouldAdd, ...affectedByType } = yield* store.affected(
      organizationId,
      submission.rules,
    )
    return {
      wouldAdd,
      duplicates: submission.repeated + submission.rules.length - wouldAdd,
      rejectedCount: submission.rejectedCount,
      rejected: submission.rejected,
      affectedVisitors,
      affectedByType,
      sample,
    }
  })

  /** Industries of identified visitors, most visitors first. */
  const industries = Effect.fn("Matching.industries")(function* (
    organizationId: string,
    limit: number,
  ) {
    const { counts } = yield* rules.state(organizationId)
    return {
      industries: yield* store.industries(organizationId, limit),
      visitorsWithoutIndustry: yield* store.visitorsWithoutIndustry(organizationId),
      suppressedIndustryRules: counts.industry,
    }
  })

  /** The rules that match a person now. Fails with PersonNotFound for an unknown address. */
  const rulesOfPerson = Effect.fn("Matching.rulesOfPerson")(function* (
    organizationId: string,
    emailHash: string,
  ) {
    const found = yield* store.rulesOfPerson(organizationId, emailHash)
    return found === undefined ? yield* new PersonNotFound() : found
  })

  return { preview, industries, rulesOfPerson }
})

export class Matching extends Context.Service<Matching, Effect.Success<typeof make>>()(
  "@footfall/server/suppression/Matching",
) {
  static readonly layer = Layer.effect(Matching, make)
}
