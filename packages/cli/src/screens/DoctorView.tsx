// The checks of the doctor, one line each, and below a problem what to do.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import type { Check } from "../doctor/diagnosis.ts"
import { plainText } from "../terminal/plain-text.ts"
import { Prose } from "./Prose.tsx"

/** The checks in their order. */
export interface DoctorViewProps {
  readonly checks: ReadonlyArray<Check>
  readonly screenColumns: number
}

/** As wide as the longest name, `organization`. */
const NAME_WIDTH = 14

/** Sign and words say the same as the colour. */
export const DoctorView = ({ checks, screenColumns }: DoctorViewProps): ReactNode => {
  const problems = checks.filter(({ state }) => state === "problem").length
  return (
    <Box flexDirection="column" width={screenColumns} rowGap={1}>
      <Box flexDirection="column">
        {checks.map((check, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- checks never move
          <CheckLine key={index} check={check} />
        ))}
      </Box>
      <Text bold>
        {problems === 0
          ? "Everything is in order."
          : `${problems === 1 ? "One thing keeps" : `${problems} things keep`} visitors from you.`}
      </Text>
    </Box>
  )
}

const CheckLine = ({ check }: { readonly check: Check }): ReactNode => {
  const { sign, color } = signs[check.state]
  return (
    <Box>
      <Box width={3} flexShrink={0}>
        <Text color={color}>{sign}</Text>
      </Box>
      <Box width={NAME_WIDTH} flexShrink={0}>
        <Text dimColor>{check.name}</Text>
      </Box>
      <Box flexDirection="column">
        <Prose>{plainText(check.message)}</Prose>
        {check.nextStep === null ? null : <Prose color="cyan">{plainText(check.nextStep)}</Prose>}
      </Box>
    </Box>
  )
}

const signs: Record<Check["state"], { readonly sign: string; readonly color: string }> = {
  ok: { sign: "✔", color: "green" },
  note: { sign: "•", color: "yellow" },
  problem: { sign: "✖", color: "red" },
}
