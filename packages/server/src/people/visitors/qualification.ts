// The rule of a query: its own, or that of a segment with the same subject (spec 5.1, 13.3.9).
import { Effect } from "effect"
import type { RuleSubject } from "./query/predicate.ts"
import { RuleReader } from "./query/rule-reader.ts"
import { Segments } from "./segments/segments.ts"

/** `ruleAst` is any JSON; it is parsed here. */
export type Qualification = { readonly segmentId: string } | { readonly ruleAst: unknown }

/** Errors of what it gives: InvalidRule; SegmentNotFound, WrongSegment. */
export const ruleOfQuery = Effect.gen(function* () {
  const rules = yield* RuleReader
  const segments = yield* Segments
  return Effect.fnUntraced(function* (
    organizationId: string,
    by: Qualification,
    subject: RuleSubject,
  ) {
    return "ruleAst" in by
      ? yield* rules.read(organizationId, by.ruleAst, subject)
      : yield* segments.ruleOf(organizationId, by.segmentId, subject)
  })
})
