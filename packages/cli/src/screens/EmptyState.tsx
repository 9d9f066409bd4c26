// A list with nothing in it: what there is not, and on a line of its own what to do, so that a command can
// be copied.

import { Box } from "ink"
import type { ReactNode } from "react"
import { Prose } from "./Prose.tsx"

/** What is said of an empty list. */
export interface Empty {
  readonly says: string
  /** The next step, for example `Run: footfall keys create <name>`; none where none helps. */
  readonly next?: string
}

/** Errors have the same form. */
export const EmptyState = ({ says, next }: Empty): ReactNode => (
  <Box flexDirection="column">
    <Prose>{says}</Prose>
    {next === undefined ? null : <Prose dimColor>{next}</Prose>}
  </Box>
)
