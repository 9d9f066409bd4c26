// Chosen fields on a screen. Loads React and Ink, so import it only to draw.

import { drawn } from "../screens/drawn.ts"
import { Facts } from "../screens/Facts.tsx"
import { FieldsTable } from "../screens/FieldsTable.tsx"
import { cellText, valueAt } from "./csv.ts"
import type { Fields } from "./fields.ts"

/** Of a list. */
export const drawnRows = (rows: ReadonlyArray<object>, fields: Fields, columns: number): string =>
  drawn(FieldsTable, { rows, fields, screenColumns: columns }, columns)

/** Of one thing. */
export const drawnRecord = (record: object, fields: Fields, columns: number): string =>
  drawn(
    Facts,
    { facts: fields.map((path) => [path, cellText(valueAt(record, path))] as const) },
    columns,
  )
