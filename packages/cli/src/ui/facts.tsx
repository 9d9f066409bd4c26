// Labels and values in two columns.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Prose } from "./prose.tsx"

/** A label, which must be unique, and its value. An unknown value is null and is left out. */
export type Fact = readonly [label: string, value: string | null]

/** The facts in order. */
interface FactsProps {
  readonly facts: ReadonlyArray<Fact>
}

/** Space between the labels and the values. */
const GAP = 2

/** The values share one column and wrap within it. */
export const Facts = ({ facts }: FactsProps): ReactNode => {
  const known = facts.filter(([, value]) => value !== null && value !== "")
  const labelWidth = Math.max(0, ...known.map(([label]) => label.length)) + GAP
  return (
    <Box flexDirection="column">
      {known.map(([label, value]) => (
        <Box key={label}>
          <Box width={labelWidth} flexShrink={0}>
            <Text dimColor>{label}</Text>
          </Box>
          <Prose>{plainText(value ?? "")}</Prose>
        </Box>
      ))}
    </Box>
  )
}
