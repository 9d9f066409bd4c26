// Labels and values in two columns.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Prose } from "./prose.tsx"

/** A label, which is used once, and its value. What is not known is null and has no line. */
export type Fact = readonly [label: string, value: string | null]

/** The facts in their order. */
interface FactsProps {
  readonly facts: ReadonlyArray<Fact>
}

/** Space between the labels and the values. */
const GAP = 2

/** Values are in one column and wrap within it. */
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
