// The plan and the result of an import into a list on a terminal.

import type { AppliedFileImport, List } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { ServerPlan } from "../suppression/server-plan.ts"
import { Rejections, readingFacts } from "../suppression/views.tsx"
import { plainText } from "../terminal/terminal.ts"
import { Facts } from "../ui/facts.tsx"
import { counted, countText } from "../ui/text.ts"

/** The result of an import. */
export interface ListImport extends ServerPlan {
  readonly list: List
  /** Null for a dry run. */
  readonly applied: AppliedFileImport | null
}

/** Says the same without color. */
export const ListImportView = (
  props: ListImport & { readonly screenColumns: number },
): ReactNode => {
  const { applied, list, plan } = props
  const { added, removed } = applied ?? { added: plan.new, removed: plan.removed }
  const size = applied?.total ?? list.size
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>
        <Text bold>{plainText(list.name)}</Text>
        {`: ${counted(size, "value")}${applied === null ? " now" : ""}`}
      </Text>
      <Facts
        facts={[
          ...readingFacts(props),
          [applied === null ? "To add" : "Added", countText(added)],
          ["Already in the list", countText(plan.present)],
          [
            applied === null ? "To remove" : "Removed",
            plan.mode === "replace" ? countText(removed) : null,
          ],
        ]}
      />
      <Rejections {...props} />
    </Box>
  )
}
