// The segment of an audience as a condition on visitors, evaluated at one moment (spec 2.8). Its rule is read when people
// are selected, so a change of the segment takes effect with the next run.
import { DateTime, Effect } from "effect"
import { SqlText, sqlText } from "../../../platform/database/sql-text.ts"
import { compileRule } from "../../../people/visitors/query/compile.ts"
import { type RuleNode, windowOf } from "../../../people/visitors/query/rule.ts"
import type { RuleScope } from "../../../people/visitors/query/rule-scope.ts"
import type { SegmentStore } from "../../../people/visitors/segments/store.ts"
import { boundsOf } from "../../../people/visitors/timeframe.ts"
import type { AudienceConfig } from "../config.ts"
import { unknownSegment } from "../configs.ts"

/** The rule of a segment, and the moment and window in which it is evaluated. */
export interface AskedSegment {
  readonly rule: RuleNode
  readonly scope: RuleScope
}

/** Undefined without a segment. Errors: ConfigInvalid if it has been deleted. */
export const segmentOf = (
  segments: SegmentStore["Service"],
  {
    config: { segmentId },
    organizationId,
  }: { readonly config: AudienceConfig; readonly organizationId: string },
) =>
  Effect.gen(function* () {
    if (segmentId === undefined) return
    const segment = yield* segments.find({ organizationId, id: segmentId })
    if (segment === undefined) return yield* unknownSegment(segmentId, "/body")
    const asOf = yield* DateTime.now
    const bounds = boundsOf(windowOf(segment.ruleAst, undefined), "UTC", asOf)
    const scope = { organizationId, pixelId: undefined, asOf, ...bounds }
    return { rule: segment.ruleAst.rule, scope } satisfies AskedSegment
  })

/** Whether the row `visitor` is in the segment: visible, seen within the window, and matching the rule. */
export const isInSegment = ({ rule, scope }: AskedSegment): SqlText => {
  const { from } = scope
  const isRecent =
    from === undefined
      ? SqlText.of("")
      : sqlText`and visitor.last_seen_at >= ${DateTime.toDateUtc(from)}::timestamptz`
  return sqlText`not visitor.held_back ${isRecent} and ${compileRule(rule, scope)}`
}
