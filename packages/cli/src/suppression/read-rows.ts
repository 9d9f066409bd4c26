// The rows of a file, in batches. One row of the file is in memory at a time and what was read with it; a
// row without an end is refused instead of kept.

import type { Layout } from "./reading/layout.ts"
import { RowReader, type SourceRow } from "./reading/rows.ts"

/** Every row but the header, blank lines and comments. Errors: ReadingError, with the line. */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  layout: Layout,
  name: string,
): AsyncGenerator<ReadonlyArray<SourceRow>, void, undefined> {
  const decoder = new TextDecoder()
  const reader = new RowReader(layout, name)
  for await (const chunk of chunks) yield reader.read(decoder.decode(chunk, { stream: true }))
  yield [...reader.read(decoder.decode()), ...reader.end()]
}
