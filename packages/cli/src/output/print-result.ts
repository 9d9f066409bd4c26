// Prints one result: a JSON document for programs, a screen or a sentence for people.

import type { ComponentType } from "react"
import { screenColumns, type Terminal, writeOut } from "../terminal/terminal.ts"
import type { Fact } from "../ui/facts.tsx"
import { requireFields, withFields } from "./fields.ts"
import { jsonDocument } from "./json.ts"
import { outputOf, type OutputOptions } from "./output-format.ts"

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
  if (fields !== null) requireFields(fields, [data], [])
  if (format === "json") {
    const chosen = fields === null ? data : withFields(data, fields)
    return writeOut(terminal, jsonDocument({ data: chosen }))
  }
  const columns = screenColumns(terminal)
  if (fields === null) return terminal.pager.write(await text(columns))
  const { drawnRecord } = await import("./drawn-fields.tsx")
  return terminal.pager.write(drawnRecord(data, fields, columns))
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
