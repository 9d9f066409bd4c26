// A timestamp as answers have it: ISO 8601 to the millisecond. Every connection reads in UTC (database.ts).

/** The SQL that writes a column, or another expression, so. */
export const isoTime = (column: string): string =>
  `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
