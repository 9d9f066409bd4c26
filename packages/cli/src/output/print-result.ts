// Prints one result: a JSON document for programs, a screen or a sentence for people.

import type { ComponentType } from "react"
import { screenColumns, type Terminal, writeSafe } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import type { Fields } from "./fields.ts"
import { jsonDocument, jsonLine } from "./json.ts"
import { type OutputFormat, outputOf, type OutputOptions } from "./output-format.ts"

/** The text for people. It is created late, because a screen loads React and Ink. */
export type PeopleText = (screenColumns: number) => string | Promise<string>

/**
 * Prints `{"data": data}` or the text, depending on the options and the terminal. Errors: usage, for an unknown field.
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

/** The facts in order. A null fact is left out. */
export const factsText =
  (facts: ReadonlyArray<Fact>): PeopleText =>
  async (columns) => {
    const [{ drawn }, { Facts }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("../ui/facts.tsx"),
    ])
    return drawn(Facts, { facts }, columns)
  }

/** Renders a component that takes the screen's width as `screenColumns`. */
export const view =
  <Props extends object>(
    load: () => Promise<ComponentType<Props>>,
    props: Omit<NoInfer<Props>, "screenColumns">,
  ): PeopleText =>
  async (columns) => {
    const [{ drawn }, component] = await Promise.all([import("../ui/drawn.ts"), load()])
    return drawn(component, { ...props, screenColumns: columns } as Props, columns)
  }
