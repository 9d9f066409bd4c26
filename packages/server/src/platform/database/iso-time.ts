// Formats timestamps as in responses: ISO 8601 in milliseconds. Every connection uses UTC (database.ts).

/** Returns SQL that formats a column or expression this way. */
export const isoTime = (column: string): string =>
  `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
