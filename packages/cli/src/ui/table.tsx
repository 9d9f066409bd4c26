// A table that fits the screen. Columns are as wide as their longest cell. If that is too wide, the least important
// columns are left out, and then the widest are cut with an ellipsis. No frame, so that rows can be copied.

import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/terminal.ts"
import { type ColumnDemand, columnsKept, columnWidths, textWidth } from "./column-widths.ts"

/** A column of a table of `Row`s. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: "left" | "right"
  readonly color?: string
  /** Minimum width; without it, the column is never cut. */
  readonly widthMin?: number
  /** Every column is cut to this width before any is cut further. Default: `widthMin`. */
  readonly widthKept?: number
  /** On a narrow screen, the column is left out before others are cut, highest rank first. */
  readonly dropRank?: number
}

/** What a table shows. */
interface TableProps<Row> {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly screenColumns: number
  /** Less important rows to draw dim. A cell must also state the reason. */
  readonly isDim?: (row: Row) => boolean
}

/** Space between two columns. */
const GAP = 2

/** One line per row, whatever the cells contain. */
export const Table = <Row,>(props: TableProps<Row>): ReactNode => {
  const { rows, screenColumns, isDim = () => false } = props
  const filled = props.columns.map((column) => ({
    ...column,
    texts: rows.map((row) => plainText(column.cell(row))),
  }))
  const demands = filled.map(demand)
  const kept = columnsKept(demands, { columns: screenColumns, gap: GAP })
  const columns = filled.filter((_, index) => kept.includes(index))
  const widths = columnWidths(
    demands.filter((_, index) => kept.includes(index)),
    screenColumns - GAP * (columns.length - 1),
  )
  const isRowDim = rows.map(isDim)
  return (
    <Box columnGap={GAP}>
      {columns.map((column, index) => (
        <ColumnView
          key={column.title}
          column={column}
          width={widths[index] ?? 0}
          isRowDim={isRowDim}
        />
      ))}
    </Box>
  )
}

interface FilledColumn {
  readonly title: string
  readonly texts: ReadonlyArray<string>
  readonly align?: "left" | "right"
  readonly color?: string
  readonly widthMin?: number
  readonly widthKept?: number
  readonly dropRank?: number
}

const demand = (column: FilledColumn): ColumnDemand => {
  const { title, texts, widthMin = Infinity, widthKept = widthMin, dropRank = null } = column
  // Does not spread, because the number of arguments is limited and the rows of a page are not.
  const width = texts.reduce((widest, text) => Math.max(widest, textWidth(text)), title.length)
  const atLeast = (least: number): number => Math.min(width, Math.max(least, title.length))
  return { width, widthMin: atLeast(widthMin), widthKept: atLeast(widthKept), dropRank }
}

const ColumnView = (props: {
  readonly column: FilledColumn
  readonly width: number
  readonly isRowDim: ReadonlyArray<boolean>
}): ReactNode => {
  const { column, width, isRowDim } = props
  const alignItems = column.align === "right" ? "flex-end" : "flex-start"
  return (
    <Box flexDirection="column" flexShrink={0} width={width} alignItems={alignItems}>
      <Text bold wrap="truncate">
        {column.title}
      </Text>
      <Text dimColor>{"─".repeat(width)}</Text>
      {column.texts.map((text, index) => (
        // An empty Text would take no line.
        <Text
          // oxlint-disable-next-line react/no-array-index-key -- rows never move
          key={index}
          wrap="truncate"
          dimColor={isRowDim[index] ?? false}
          {...(column.color === undefined ? {} : { color: column.color })}
        >
          {text === "" ? " " : text}
        </Text>
      ))}
    </Box>
  )
}
