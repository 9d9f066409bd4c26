// How a list of visitors is printed, whether it came of a window or of a rule.

import type { Visitor, VisitorListMeta, VisitorQueryMeta } from "@footfall/sdk"
import type { ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { visitorColumns } from "./visitor-columns.ts"

/** `window` in words, to follow `12 visitors`. */
export const visitorListForm = <Meta extends VisitorListMeta | VisitorQueryMeta>(
  terminal: Terminal,
  window: string,
): ListForm<Visitor, Meta> => ({
  csvColumns: visitorColumns,
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { VisitorTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/VisitorTable.tsx"),
    ])
    const props = { visitors: data, meta, window, now: terminal.now, screenColumns: columns }
    return drawn(VisitorTable, props, columns)
  },
})
