// Horizontal bars, alone and in rows with labels.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { textWidth } from "./column-widths.ts"

/** A bar's filled part and width. */
interface BarProps {
  /** From 0 to 1; other values are clamped. */
  readonly fraction: number
  /** In columns. */
  readonly width: number
  /** Default: cyan. */
  readonly color?: string
}

/** The full and the empty part also differ without color. */
export const Bar = ({ fraction, width, color = "cyan" }: BarProps): ReactNode => {
  const full = Math.round(Math.min(1, Math.max(0, fraction)) * width)
  return (
    <Text>
      <Text color={color}>{"█".repeat(full)}</Text>
      <Text dimColor>{"░".repeat(width - full)}</Text>
    </Text>
  )
}

/** One bar. */
interface BarRow {
  readonly label: string
  readonly value: number
  /** The number as shown. */
  readonly text: string
}

/** The bars in order. */
interface BarsProps {
  readonly rows: ReadonlyArray<BarRow>
  readonly screenColumns: number
  /** The value of a full bar. Default: the largest value. */
  readonly fullValue?: number
  /** Default: cyan. */
  readonly color?: string
  /** Default: the widest label, at most two fifths of the screen. */
  readonly labelWidth?: number
}

/** Space between label, bar and number. */
const GAP = 2

/** Longer bars add no information. */
const BAR_WIDTH_MAX = 40

/** A bar's length is its value's magnitude, regardless of sign. */
export const Bars = (props: BarsProps): ReactNode => {
  const { screenColumns, color = "cyan" } = props
  const rows = props.rows.map((row) => ({ ...row, label: plainText(row.label) }))
  const widest = Math.max(...rows.map(({ label }) => textWidth(label)))
  const labelWidth = Math.min(props.labelWidth ?? widest, Math.floor(screenColumns * 0.4))
  const figureWidth = Math.max(...rows.map(({ text }) => textWidth(text)))
  const barWidth = Math.max(
    1,
    Math.min(BAR_WIDTH_MAX, screenColumns - labelWidth - figureWidth - 2 * GAP),
  )
  const fullValue = props.fullValue ?? Math.max(...rows.map(({ value }) => Math.abs(value)))
  return (
    <Box flexDirection="column">
      {rows.map(({ label, value, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows never move
        <Box key={index} columnGap={GAP}>
          <Box width={labelWidth} flexShrink={0}>
            <Text wrap="truncate">{label}</Text>
          </Box>
          <Box width={figureWidth} flexShrink={0} justifyContent="flex-end">
            <Text>{text}</Text>
          </Box>
          <Text color={color} wrap="truncate">
            {barText(fullValue === 0 ? 0 : Math.abs(value) / fullValue, barWidth)}
          </Text>
        </Box>
      ))}
    </Box>
  )
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar that fills a fraction of the width, in eighths of a column. Anything above zero is visible. */
export const barText = (fraction: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, fraction)) * width * 8)
  const seen = fraction > 0 ? Math.max(1, eighths) : 0
  return "█".repeat(Math.floor(seen / 8)) + (EIGHTHS[seen % 8] ?? "")
}
