// Whom a rule matches now: how many, and some of them.

import type { SegmentPreview } from "@footfall/sdk"
import type { ReactNode } from "react"
import { VisitorTable } from "./VisitorTable.tsx"

/** The preview and the width there is. */
export interface SegmentPreviewViewProps {
  readonly preview: SegmentPreview
  readonly now: Date
  readonly screenColumns: number
}

/** The sample is the first page of a list that a preview cannot go on with. */
export const SegmentPreviewView = (props: SegmentPreviewViewProps): ReactNode => {
  const { preview, now, screenColumns } = props
  const { count, sample } = preview
  const meta = { page: 1, hasMore: false, nextCursor: null, total: count, ...unanswered }
  return (
    <VisitorTable
      visitors={sample}
      meta={meta}
      window="match the rule"
      now={now}
      screenColumns={screenColumns}
    />
  )
}

/** Of the answer itself nothing is shown. */
const unanswered = { timestamp: "", request_id: "" }
