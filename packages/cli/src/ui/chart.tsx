// Lines over time, drawn with braille characters.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { countText } from "./text.ts"

/** Dots per character. */
export const DOTS_WIDE = 2

export const DOTS_HIGH = 4

/** The bit of each dot, by row and column (Unicode, Braille Patterns). */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const

/** The character without dots. Adding bits sets its dots. */
const BLANK = 0x2800

/** A position in dots, from the left and from the top. */
interface Dot {
  readonly x: number
  readonly y: number
}

/** A canvas measured in characters. Does not draw anything outside of it. */
export class BrailleCanvas {
  readonly #columns: number
  readonly #cells: Array<Uint8Array>

  constructor({ columns, rows }: { readonly columns: number; readonly rows: number }) {
    this.#columns = columns
    this.#cells = Array.from({ length: rows }, () => new Uint8Array(columns))
  }

  /** Draws a straight line, including both ends. */
  line(from: Dot, to: Dot): void {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1)
    for (let step = 0; step <= steps; step++) {
      const part = step / steps
      this.dot({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
    }
  }

  /** Draws one dot at the nearest position. */
  dot({ x, y }: Dot): void {
    const [column, row] = [Math.round(x), Math.round(y)]
    const cells = this.#cells[Math.floor(row / DOTS_HIGH)]
    const at = Math.floor(column / DOTS_WIDE)
    if (cells === undefined || column < 0 || at >= this.#columns) return
    cells[at] = (cells[at] ?? 0) | (BITS[row % DOTS_HIGH]?.[column % DOTS_WIDE] ?? 0)
  }

  /** One text per row, from the top; a character without dots is a space. */
  rows(): ReadonlyArray<string> {
    return this.#cells.map((cells) =>
      Array.from(cells, (bits) => (bits === 0 ? " " : String.fromCodePoint(BLANK + bits))).join(""),
    )
  }
}

/** A value and its day, `YYYY-MM-DD`. */
export interface DayValue {
  readonly date: string
  readonly value: number
}

/** The chart's size and its days. Default: the days of its points. */
export interface ChartFrame {
  /** In characters, including the axis labels. */
  readonly columns: number
  /** In characters, without the dates below. */
  readonly rows: number
  readonly from?: string
  readonly to?: string
}

/** A row of the chart. Its label is separate, because it has another color. */
interface ChartRow {
  readonly label: string
  readonly plot: string
}

/** The chart from the top, and the dates below it, aligned with the plot. */
interface Chart {
  readonly rows: ReadonlyArray<ChartRow>
  readonly dates: string
}

const DAY_MS = 86_400_000
const DATE_LENGTH = 10

/** Joins the points with straight lines across days without a point. `points` are oldest first, and at least one. */
export const chart = (points: ReadonlyArray<DayValue>, frame: ChartFrame): Chart => {
  const values = points.map(({ value }) => value)
  const scale = valueScale(Math.min(...values), Math.max(...values))
  const labels = axisLabels(scale, frame.rows)
  const labelWidth = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(1, frame.columns - labelWidth - 2)
  const from = frame.from ?? points[0]?.date ?? ""
  const to = frame.to ?? points.at(-1)?.date ?? from
  const canvas = new BrailleCanvas({ columns, rows: frame.rows })
  const dots = points.map(({ date, value }) => ({
    x: partOf(days(date), days(from), days(to)) * (columns * DOTS_WIDE - 1),
    y: (1 - partOf(value, scale.min, scale.max)) * (frame.rows * DOTS_HIGH - 1),
  }))
  for (const [index, dot] of dots.entries()) canvas.line(dots[index - 1] ?? dot, dot)
  return {
    rows: canvas.rows().map((plot, index) => {
      const label = labels[index] ?? ""
      return { label: `${label.padStart(labelWidth)} ${label === "" ? "│" : "┤"}`, plot }
    }),
    dates: " ".repeat(labelWidth + 2) + dateLabels({ from, to, columns }),
  }
}

/** The start and end of an axis, and the step between its labels. */
interface ValueScale {
  readonly min: number
  readonly max: number
  readonly step: number
}

/** Approximate number of steps on an axis. */
const STEPS = 4

/** An axis starts at 0, unless all values are in its upper half, because that would flatten the line. */
const ZERO_BELOW_PART = 0.5

/** Round numbers around the values. */
export const valueScale = (least: number, most: number): ValueScale => {
  const floor = least < most * ZERO_BELOW_PART || least === most ? Math.min(0, least) : least
  const step = roundStep((most - floor) / STEPS)
  const min = Math.floor(floor / step) * step
  return { min, max: Math.max(min + step, Math.ceil(most / step) * step), step }
}

/** 1, 2 or 5 times a power of ten, at least 1. */
const roundStep = (least: number): number => {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, least))))
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? power
}

/** One label per row. If two fall on the same row, the higher one wins; rows between them have none. */
const axisLabels = ({ min, max, step }: ValueScale, rows: number): ReadonlyArray<string> => {
  const labels = Array.from({ length: rows }, () => "")
  const steps = Math.round((max - min) / step)
  const each = Math.max(1, Math.ceil(steps / Math.max(1, Math.floor((rows - 1) / 2))))
  for (let count = 0; count <= steps; count += each) {
    const value = min + count * step
    labels[Math.round((1 - partOf(value, min, max)) * (rows - 1))] = countText(value)
  }
  return labels
}

/** Space between two dates. */
const DATE_GAP = 4

/** The first day on the left, the last day on the right, and as many as fit between them. */
const dateLabels = (axis: {
  readonly from: string
  readonly to: string
  readonly columns: number
}): string => {
  const { from, to, columns } = axis
  if (from === to || columns < from.length + DATE_GAP + to.length) return from
  const parts = from.length === DATE_LENGTH ? 1 : 24
  const lastAt = columns - to.length
  let text = from
  for (let count = 1; count < STEPS; count++) {
    const day = Math.round((days(from) + ((days(to) - days(from)) * count) / STEPS) * parts) / parts
    const date = new Date(day * DAY_MS).toISOString().slice(0, from.length).replace("T", " ")
    const at = Math.round(partOf(day, days(from), days(to)) * (columns - 1) - date.length / 2)
    const isRoom = at >= text.length + DATE_GAP && at + date.length + DATE_GAP <= lastAt
    if (isRoom) text = text.padEnd(at) + date
  }
  return text.padEnd(lastAt) + to
}

/** Of a day, `2026-03-11`, or an hour, `2026-03-11 14:00`. */
const days = (date: string): number =>
  Date.parse(`${date.replace(" ", "T")}${date.length === DATE_LENGTH ? "T00:00Z" : "Z"}`) / DAY_MS

/** The position of a value between two others, from 0 to 1; the middle if they are equal. */
const partOf = (value: number, least: number, most: number): number =>
  most === least ? 0.5 : (value - least) / (most - least)

/** The points, oldest first and at least one, and the available size. */
interface ChartViewProps extends ChartFrame {
  readonly points: ReadonlyArray<DayValue>
}

/** Rows of dots over an axis with dates. */
export const ChartView = ({ points, ...frame }: ChartViewProps): ReactNode => {
  const { rows, dates } = chart(points, frame)
  return (
    <Box flexDirection="column">
      {rows.map(({ label, plot }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows never move
        <Text key={index} wrap="truncate">
          <Text dimColor>{label}</Text>
          <Text color="cyan">{plot.trimEnd()}</Text>
        </Text>
      ))}
      <Text dimColor wrap="truncate">
        {dates}
      </Text>
    </Box>
  )
}
