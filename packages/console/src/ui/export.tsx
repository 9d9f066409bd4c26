// Exports the list as CSV. It reads page by page, shows progress, and builds the file in the browser.
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { useEffect, useRef, useState } from "react"
import { Button } from "./button.tsx"
import { Dialog } from "./dialog.tsx"
import { type Choice, ChoiceField } from "./field.tsx"
import { Problem } from "./problem.tsx"
import { saveFile } from "./save-file.ts"
import { count, plural } from "./time.tsx"

interface ExportPage<Row> {
  readonly data: ReadonlyArray<Row>
  readonly meta: { readonly nextCursor: string | null }
}

interface ExportProps<Row> {
  /** What the rows are; begins the name of the file. */
  readonly name: string
  /** Reads the page at a cursor. */
  readonly ask: (cursor: string | undefined, signal: AbortSignal) => Promise<ExportPage<Row>>
  /** Fields are paths into a row. */
  readonly columns: ReadonlyArray<{
    readonly title: string
    readonly fields: ReadonlyArray<string>
  }>
  /** Null or undefined if unknown. */
  readonly total: number | null | undefined
  readonly onClose: () => void
}

type Form = "plain" | "excel" | "semicolons"

const formChoices: ReadonlyArray<Choice<Form>> = [
  { value: "plain", text: "Commas" },
  { value: "excel", text: "Commas, for Excel" },
  { value: "semicolons", text: "Semicolons, for Excel in most of Europe" },
]

/** Without the byte order mark, Excel breaks every letter beyond ASCII. */
const forms = {
  plain: { mark: "", separator: "," },
  excel: { mark: "\ufeff", separator: "," },
  semicolons: { mark: "\ufeff", separator: ";" },
} as const

type State =
  | { readonly is: "reading"; readonly rows: number }
  | { readonly is: "done"; readonly rows: number }
  | { readonly is: "failed"; readonly rows: number; readonly error: unknown }

export const Export = <Row extends object>({
  name,
  ask,
  columns,
  total,
  onClose,
}: ExportProps<Row>) => {
  const [state, setState] = useState<State | null>(null)
  const [form, setForm] = useState<Form>("plain")
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const run = async (): Promise<void> => {
    const controller = new AbortController()
    stop.current = controller
    const paths = columns.flatMap(({ fields }) => fields)
    const { mark, separator } = forms[form]
    const parts = [mark + csvHeader(paths, separator)]
    let rows = 0
    setState({ is: "reading", rows })
    try {
      let cursor: string | undefined
      do {
        const { data, meta } = await ask(cursor, controller.signal)
        parts.push(data.map((row) => csvRow(paths, row, separator)).join(""))
        rows += data.length
        setState({ is: "reading", rows })
        cursor = meta.nextCursor ?? undefined
      } while (cursor !== undefined)
      saveFile(`${name}-${new Date().toISOString().slice(0, 10)}.csv`, parts)
      setState({ is: "done", rows })
    } catch (error) {
      if (!controller.signal.aborted) setState({ is: "failed", rows, error })
    }
  }
  const isReading = state?.is === "reading"
  return (
    <Dialog title="Save as CSV" onClose={onClose}>
      <p>
        {total === null || total === undefined ? "Every row of this list" : plural(total, "row")},
        with the columns: {columns.map(({ title }) => title.toLowerCase()).join(", ")}.
      </p>
      <p className="soft small">
        Cells that a spreadsheet would run as formulas start with an apostrophe.
      </p>
      <ChoiceField label="Format" choices={formChoices} value={form} onValue={setForm} />
      <div role="status">
        {isReading && (
          <>
            <p>
              Read {count(state.rows)}
              {typeof total === "number" && ` of ${count(total)}`}…
            </p>
            {typeof total === "number" && (
              <progress aria-label="Rows that were read" max={total} value={state.rows} />
            )}
          </>
        )}
        {state?.is === "done" && <p>Saved {plural(state.rows, "row")}.</p>}
      </div>
      {state?.is === "failed" && (
        <Problem error={state.error} title={`It stopped after ${plural(state.rows, "row")}`} />
      )}
      <div className="row">
        {state?.is !== "done" && (
          <Button kind="primary" isBusy={isReading} onClick={() => void run()}>
            {state?.is === "failed" ? "Start over" : "Save"}
          </Button>
        )}
        <Button onClick={onClose}>{isReading ? "Stop" : "Close"}</Button>
      </div>
    </Dialog>
  )
}
