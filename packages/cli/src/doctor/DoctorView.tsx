// The doctor's checks, one line each, with the next step below each problem.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { Prose } from "../ui/prose.tsx"
import type { Check } from "./diagnosis.ts"

/** The checks in their order. */
interface DoctorViewProps {
  readonly checks: ReadonlyArray<Check>
  readonly screenColumns: number
}

/** As wide as the longest name, `organization`. */
const NAME_WIDTH = 14

/** Says the same without color. */
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
          ? "No problems found."
          : `${problems === 1 ? "One problem keeps" : `${problems} problems keep`} visitors from being listed.`}
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
