// A sentence that wraps at words. A dot between two things stays with the first; lines wrapped by Ink would start with
// the space.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { textWidth } from "./column-widths.ts"

/** The text and its style. */
export interface ProseProps {
  readonly children: string
  readonly color?: string | undefined
  readonly dimColor?: boolean
}

/** As wide as the available space. */
export const Prose = ({ children, color, dimColor = false }: ProseProps): ReactNode => (
  <Box flexWrap="wrap" columnGap={1}>
    {wordsOf(children).map((word, index) => (
      <Text
        // oxlint-disable-next-line react/no-array-index-key -- words never move
        key={index}
        dimColor={dimColor}
        {...(color === undefined ? {} : { color })}
      >
        {word}
      </Text>
    ))}
  </Box>
)

/** Number of lines that a sentence takes. */
export const proseLines = (sentence: string, columns: number): number => {
  let lines = 1
  let used = -1
  for (const width of wordsOf(sentence).map(textWidth)) {
    if (used >= 0 && used + 1 + width > columns) {
      lines += 1
      used = -1
    }
    used += 1 + width
  }
  return lines
}

const wordsOf = (sentence: string): ReadonlyArray<string> => sentence.split(/ +(?!· )/)
