// The fields that `--fields` chose, as a table of any list. Those who chose them get all of them: where
// the screen is too narrow, cells are cut and no column is left out.

import { Text } from "ink"
import type { ReactNode } from "react"
import { cellText, valueAt } from "../output/csv.ts"
import type { Fields } from "../output/fields.ts"
import { Table } from "./Table.tsx"

/** Rows of any kind. */
export interface FieldsTableProps {
  readonly rows: ReadonlyArray<object>
  readonly fields: Fields
  readonly screenColumns: number
}

/** Narrowest a column becomes. */
const WIDTH_MIN = 6

/** A column a field, named by its path. */
export const FieldsTable = ({ rows, fields, screenColumns }: FieldsTableProps): ReactNode => {
  if (rows.length === 0) return <Text dimColor>There is nothing to show.</Text>
  const columns = fields.map((path) => ({
    title: path,
    cell: (row: object) => cellText(valueAt(row, path)),
    widthMin: WIDTH_MIN,
  }))
  return <Table columns={columns} rows={rows} screenColumns={screenColumns} />
}
