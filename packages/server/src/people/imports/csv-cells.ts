// Splits CSV records into cells. A record without quotes is split at its commas, which is much faster than reading it
// with the reader of rule files. An invalid record becomes undefined and does not affect the others.
import { ReadingError, RecordReader } from "@footfall/normal-form/reading"

type Cells = ReadonlyArray<string>

export const csvCells = (records: ReadonlyArray<string>): ReadonlyArray<Cells | undefined> =>
  records.map((record) => (record.includes('"') ? cellsOf(record) : record.split(",")))

const cellsOf = (record: string): Cells | undefined => {
  const reader = new RecordReader(",", "the row", { isData: true })
  try {
    const found = [...reader.read(record), ...reader.end()]
    return found.length === 1 ? found[0]!.cells : undefined
  } catch (error) {
    if (error instanceof ReadingError) return undefined
    throw error
  }
}
