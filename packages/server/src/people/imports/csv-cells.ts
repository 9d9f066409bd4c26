// Splits CSV records into cells. A record without quotes is split at its commas. Records with quotes go to
// csv-parse together, which takes eight times as long. An
// invalid record becomes undefined and does not affect the others.
import { parse } from "csv-parse/sync"

type Cells = ReadonlyArray<string>

export const csvCells = (records: ReadonlyArray<string>): ReadonlyArray<Cells | undefined> => {
  const quoted = records.filter((record) => record.includes('"'))
  const parsed = quoted.length === 0 ? [] : parseAll(quoted)
  let next = 0
  return records.map((record) => (record.includes('"') ? parsed[next++] : record.split(",")))
}

const parseAll = (records: ReadonlyArray<string>): ReadonlyArray<Cells | undefined> => {
  const cells = tryParse(records.join("\n"))
  if (cells?.length === records.length) return cells
  return records.map((record) => {
    const alone = tryParse(record)
    return alone?.length === 1 ? alone[0] : undefined
  })
}

const tryParse = (text: string): ReadonlyArray<Cells> | undefined => {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: "\n" })
  } catch {
    return undefined
  }
}
