// Renders the fields selected by `--fields`. Loads React and Ink, so import it only to draw.

import { Text } from "ink"
import type { ReactNode } from "react"
import { cellText, valueAt } from "@footfall/normal-form/csv"
import { drawn } from "../ui/drawn.ts"
import { Facts } from "../ui/facts.tsx"
import { Table } from "../ui/table.tsx"
import type { Fields } from "./output-format.ts"

/** For a list. */
export const drawnRows = (rows: ReadonlyArray<object>, fields: Fields, columns: number): string =>
  drawn(FieldsTable, { rows, fields, screenColumns: columns }, columns)

/** For a single object. */
export const drawnRecord = (record: object, fields: Fields, columns: number): string =>
  drawn(
    Facts,
    { facts: fields.map((path) => [path, cellText(valueAt(record, path))] as const) },
    columns,
  )

/** Rows of any kind. */
interface FieldsTableProps {
  readonly rows: ReadonlyArray<object>
  readonly fields: Fields
  readonly screenColumns: number
}

/** Minimum width of a column. */
const WIDTH_MIN = 6

/** One column per field, titled with its path. */
const FieldsTable = ({ rows, fields, screenColumns }: FieldsTableProps): ReactNode => {
  if (rows.length === 0) return <Text dimColor>Nothing to show.</Text>
  const columns = fields.map((path) => ({
    title: path,
    cell: (row: object) => cellText(valueAt(row, path)),
    widthMin: WIDTH_MIN,
  }))
  return <Table columns={columns} rows={rows} screenColumns={screenColumns} />
}
