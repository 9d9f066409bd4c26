// Many short rows of numbers in one piece of memory: thousands of them are gone over faster than an array
// for each, which the processor must look for one by one.

export interface Rows {
  /** All rows, one behind the other. */
  readonly numbers: Uint32Array
  /** Where each row begins; at the end, where the last one ends. */
  readonly starts: Uint32Array
}

export const rowsOf = (rows: ReadonlyArray<ReadonlyArray<number>>): Rows => {
  const starts = new Uint32Array(rows.length + 1)
  for (const [place, row] of rows.entries()) starts[place + 1] = starts[place]! + row.length
  const numbers = new Uint32Array(starts[rows.length]!)
  for (const [place, row] of rows.entries()) numbers.set(row, starts[place]!)
  return { numbers, starts }
}

export const lengthOf = ({ starts }: Rows, place: number): number =>
  starts[place + 1]! - starts[place]!
