// A bar that is filled as far as something has come.

import { Text } from "ink"
import type { ReactNode } from "react"

/** How much of how wide a bar. */
export interface BarProps {
  /** From 0 to 1; what lies outside is drawn as the nearer end. */
  readonly fraction: number
  /** In columns. */
  readonly width: number
  /** Default: cyan. */
  readonly color?: string
}

/** Full and empty part differ without colour too. */
export const Bar = ({ fraction, width, color = "cyan" }: BarProps): ReactNode => {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * width)
  return (
    <Text>
      <Text color={color}>{"█".repeat(full)}</Text>
      <Text dimColor>{"░".repeat(width - full)}</Text>
    </Text>
  )
}
