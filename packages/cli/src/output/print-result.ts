// Prints one result: a JSON document for programs, a screen or a sentence for people.

import type { ComponentType } from "react"
import { screenColumns, type Terminal, writeSafe } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import type { Fields } from "./fields.ts"
import { jsonDocument, jsonLine } from "./json.ts"
import { type OutputFormat, outputOf, type OutputOptions } from "./output-format.ts"

/** The text for people; a screen loads React and Ink, so it comes late. */
export type PeopleText = (screenColumns: number) => string | Promise<string>

/**
 * `{"data": data}` or the text, as the options and the terminal ask for.
 * Errors: usage, for a field that there is not.
 */
export const printResult = async (
  terminal: Terminal,
  options: OutputOptions,
  data: object,
  text: PeopleText,
): Promise<void> => {
  const { format, fields } = outputOf(options, terminal)
  const { record, paths } =
    fields === null && format !== "csv"
      ? { record: data, paths: [] }
      : (await import("./chosen-fields.ts")).chosenRecord(data, fields)
  if (format !== "table") return writeSafe(terminal, programTexts[format](record, paths))
  const columns = screenColumns(terminal)
  if (fields === null) return terminal.pager.write(await text(columns))
  const { drawnRecord } = await import("./drawn-fields.tsx")
  return terminal.pager.write(drawnRecord(data, fields, columns))
}

const programTexts: Record<
  Exclude<OutputFormat, "table">,
  (data: object, columns: Fields) => string
> = {
  json: (data) => jsonDocument({ data }),
  ndjson: jsonLine,
  csv: (data, columns) => csvHeader(columns) + csvRow(columns, data),
}

/** The facts in their order; what is null has no line. */
export const factsText =
  (facts: ReadonlyArray<Fact>): PeopleText =>
  async (columns) => {
    const [{ drawn }, { Facts }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("../ui/facts.tsx"),
    ])
    return drawn(Facts, { facts }, columns)
  }

/** The text of a component that takes the width of the screen as `screenColumns`. */
export const view =
  <Props extends object>(
    load: () => Promise<ComponentType<Props>>,
    props: Omit<NoInfer<Props>, "screenColumns">,
  ): PeopleText =>
  async (columns) => {
    const [{ drawn }, component] = await Promise.all([import("../ui/drawn.ts"), load()])
    return drawn(component, { ...props, screenColumns: columns } as Props, columns)
  }
