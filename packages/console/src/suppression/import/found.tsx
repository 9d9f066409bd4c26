// The result of reading the file: rules, duplicate rows, and rejected rows with line numbers and reasons.
import { Button } from "../../ui/button.tsx"
import { count, plural } from "../../ui/time.tsx"
import { rejectionWords, ruleTypes, ruleWords } from "../words.ts"
import type { ImportState } from "./job.ts"
import type { Reading } from "./messages.ts"

interface FoundProps {
  readonly state: ImportState
  readonly reading: Reading
}

export const Found = ({ state, reading }: FoundProps) => {
  const { rejectedCount, repeated, rows, rules, rulesByType, warning } = reading
  const types = ruleTypes.filter((type) => rulesByType[type] > 0)
  return (
    <section className="card stack" aria-label="What is in it">
      <p className="big" role="status">
        {plural(rules, "rule")} in {plural(rows, "row")}
      </p>
      <dl className="facts">
        {types.map((type) => (
          <div key={type} className="contents">
            <dt>{ruleWords[type].many}</dt>
            <dd>{count(rulesByType[type])}</dd>
          </div>
        ))}
        {repeated > 0 && (
          <>
            <dt>Repeated</dt>
            <dd>{plural(repeated, "row")} with a rule of an earlier row</dd>
          </>
        )}
        <dt>Rejected</dt>
        <dd>{rejectedCount === 0 ? "none" : plural(rejectedCount, "row")}</dd>
      </dl>
      {warning !== null && <p className="warning break">{warning}</p>}
      {rejectedCount > 0 && <Rejected name={state.file?.name ?? "file"} reading={reading} />}
    </section>
  )
}

const Rejected = ({ name, reading }: { readonly name: string; readonly reading: Reading }) => {
  const { rejected, rejectedByReason, rejectedCount, rejectedFile } = reading
  const reasons = Object.entries(rejectedByReason).map(
    ([reason, number = 0]) => `${count(number)} ${rejectionWords(reason)}`,
  )
  return (
    <details className="stack">
      <summary>Rejected rows: {reasons.join("; ")}</summary>
      <div className="scroll-x" role="group" aria-label="Rejected rows" tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th className="number">Line</th>
              <th>Value</th>
              <th>Why</th>
            </tr>
          </thead>
          <tbody>
            {rejected.map(({ line, message, reason, value }) => (
              <tr key={line}>
                <td className="number">{line}</td>
                <td className="break">{value.slice(0, 80)}</td>
                <td>{message ?? rejectionWords(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rejectedCount > rejected.length && (
        <p className="soft small">The first {rejected.length}. The file has all of them.</p>
      )}
      {rejectedFile !== null && (
        <div className="row">
          <Button onClick={() => save(rejectedFile, `${name}.rejected.csv`)}>
            Download the rejected rows
          </Button>
        </div>
      )}
    </details>
  )
}

const save = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // By then the browser has started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
