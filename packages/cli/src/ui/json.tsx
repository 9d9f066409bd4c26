// Shows a value as indented JSON.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"

interface JsonProps {
  readonly value: unknown
}

export const Json = ({ value }: JsonProps): ReactNode => (
  <Box flexDirection="column">
    {JSON.stringify(value, null, 2)
      .split("\n")
      .map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines never move
        <Text key={index}>{plainText(line)}</Text>
      ))}
  </Box>
)
