// JSON for programs that is also safe on a screen: 8-bit control characters, which JSON allows but
// some terminals obey, are escaped.

/** One document, with each member on its own line, indented by two spaces. */
export const jsonDocument = (value: unknown): string =>
  `${escaped(JSON.stringify(value, null, 2))}\n`

/** One line of NDJSON. */
export const jsonLine = (value: unknown): string => `${escaped(JSON.stringify(value))}\n`

/**
 * The pieces of `{"data": [rows…], "meta": meta}`, which together equal the output of `jsonDocument`. Rows are kept as
 * text, which takes a fraction of the memory of the objects.
 */
export function* jsonListDocument(
  rows: ReadonlyArray<string>,
  meta: object,
): Generator<string, void, undefined> {
  yield '{\n  "data": ['
  for (const [index, row] of rows.entries()) yield index === 0 ? `\n${row}` : `,\n${row}`
  yield `${rows.length === 0 ? "" : "\n  "}],\n  "meta": ${indented(meta, "  ").trimStart()}\n}\n`
}

/** Rows of a list, for `jsonListDocument`. */
export const jsonRows = (rows: ReadonlyArray<object>): string =>
  rows.map((row) => indented(row, "    ")).join(",\n")

const indented = (value: object, indentation: string): string =>
  escaped(JSON.stringify(value, null, 2)).replace(/^/gm, indentation)

const escaped = (json: string): string =>
  json.replace(/[\u007F-\u009F]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0")
    return `\\u${code}`
  })
