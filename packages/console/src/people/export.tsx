// Exports the list as CSV. It reads page by page, shows progress, and builds the file in the browser.
import { csvHeader, csvRow } from "@footfall/normal-form/csv"
import { useEffect, useRef, useState } from "react"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { count, plural } from "../ui/time.tsx"
import type { PeopleColumn } from "./columns.tsx"
import type { AskPeople } from "./use-people.ts"

interface ExportProps {
  readonly ask: AskPeople
  readonly columns: ReadonlyArray<PeopleColumn>
  /** Null or undefined if unknown. */
  readonly total: number | null | undefined
  readonly onClose: () => void
}

type State =
  | { readonly is: "reading"; readonly rows: number }
  | { readonly is: "done"; readonly rows: number }
  | { readonly is: "failed"; readonly rows: number; readonly error: unknown }

export const Export = ({ ask, columns, total, onClose }: ExportProps) => {
  const [state, setState] = useState<State | null>(null)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const run = async (): Promise<void> => {
    const controller = new AbortController()
    stop.current = controller
    const paths = columns.flatMap(({ fields }) => fields)
    const parts = [csvHeader(paths)]
    let rows = 0
    setState({ is: "reading", rows })
    try {
      let cursor: string | undefined
      do {
        const { data, meta } = await ask(cursor, controller.signal)
        parts.push(data.map((person) => csvRow(paths, person)).join(""))
        rows += data.length
        setState({ is: "reading", rows })
        cursor = meta.nextCursor ?? undefined
      } while (cursor !== undefined)
      download(parts)
      setState({ is: "done", rows })
    } catch (error) {
      if (!controller.signal.aborted) setState({ is: "failed", rows, error })
    }
  }
  const isReading = state?.is === "reading"
  return (
    <Dialog title="Save as CSV" onClose={onClose}>
      <p>
        {total === null || total === undefined ? "Everyone in this list" : plural(total, "row")},
        with the columns you chose: {columns.map(({ title }) => title.toLowerCase()).join(", ")}.
      </p>
      <p className="soft small">
        A cell that a spreadsheet would run as a formula begins with an apostrophe.
      </p>
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
            {state?.is === "failed" ? "Begin again" : "Save"}
          </Button>
        )}
        <Button onClick={onClose}>{isReading ? "Stop" : "Close"}</Button>
      </div>
    </Dialog>
  )
}

const download = (parts: ReadonlyArray<string>): void => {
  const address = URL.createObjectURL(new Blob([...parts], { type: "text/csv;charset=utf-8" }))
  const link = document.createElement("a")
  link.href = address
  link.download = `people-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
