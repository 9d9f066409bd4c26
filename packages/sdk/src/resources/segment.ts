// A segment: a qualification rule with a name, to be asked again. Source: spec 2.7 and 5.4.

import type { RuleAst } from "./rule-ast.ts"
import type { Visitor } from "./visitor.ts"

/** A saved segment. */
export interface Segment {
  readonly id: string
  readonly organizationId: string
  /** 1 to 160 characters. */
  readonly name: string
  /** At most 500 characters. */
  readonly description: string | null
  readonly ruleAst: RuleAst
  /** The user; null when it was made with an API key. */
  readonly createdBy: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** What a new segment is made of. */
export interface SegmentCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** At most 500 characters. */
  readonly description?: string | null | undefined
  readonly ruleAst: RuleAst
}

/** What changes; what is left out stays. */
export type SegmentUpdateParams = Partial<SegmentCreateParams>

/** A rule to be tried out. */
export interface SegmentPreviewParams {
  readonly ruleAst: RuleAst
  /** Id of one pixel. Default: all of the organization's. */
  readonly pixelId?: string | undefined
}

/** Whom a rule would match now. */
export interface SegmentPreview {
  readonly count: number
  /** At most 10. */
  readonly sample: ReadonlyArray<Visitor>
}
