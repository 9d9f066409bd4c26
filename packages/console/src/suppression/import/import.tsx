// Imports a file of rules: choose it, check the detected format and the effect, then add its rules or make the list
// match it.
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMe } from "../../session/use-session.ts"
import { Empty } from "../../ui/empty.tsx"
import { Screen } from "../../ui/screen.tsx"
import { Decide } from "./decide.tsx"
import { FileCard } from "./file-card.tsx"
import { importJob, type ImportState, type Outcome } from "./job.ts"
import { useImport } from "./use-import.ts"
import { Button } from "../../ui/button.tsx"
import { count, plural } from "../../ui/time.tsx"
import { forgetJournal, readJournal } from "./journal.ts"
import { Problem } from "../../ui/problem.tsx"
import { rejectionWords, ruleTypes, ruleWords } from "../words.ts"
import type { Reading } from "./messages.ts"
import "./import.css"

const SuppressionImport = () => {
  const { canWrite, organization } = useMe()
  const state = useImport()
  return (
    <Screen
      title="Import suppression rules"
      actions={
        <Link className="button normal" to="/suppression" search={{}}>
          Back to the list
        </Link>
      }
    >
      {!canWrite ? (
        <Empty title="Viewers can't import rules">
          Your role is viewer. An admin or owner can change it under Settings, Members.
        </Empty>
      ) : state === null || state.step === "none" ? (
        <Choose organizationId={organization.id} />
      ) : (
        <Steps state={state} />
      )}
    </Screen>
  )
}

const Steps = ({ state }: { readonly state: ImportState }) => {
  const isWorking = ["sending", "stopped", "done"].includes(state.step)
  return (
    <div className="import">
      <FileCard state={state} />
      {state.reading !== null && <FileContents state={state} reading={state.reading} />}
      {state.reading !== null && !isWorking && <Decide state={state} reading={state.reading} />}
      {isWorking && <Working state={state} />}
    </div>
  )
}

// A drop area for the file, which is also a button, and the interrupted import, if any.
const Choose = ({ organizationId }: { readonly organizationId: string }) => {
  const [isOver, setOver] = useState(false)
  const [journal, setJournal] = useState(() => readJournal(organizationId))
  const choose = (file: File | null | undefined): void => {
    setOver(false)
    if (file !== null && file !== undefined) void importJob.choose(file, organizationId)
  }
  return (
    <div className="import">
      {journal !== null && (
        <section className="card stack" aria-label="Import that stopped">
          <p className="break">
            The import of <strong>{journal.name}</strong> stopped after {count(journal.done)} of{" "}
            {count(journal.rules)} rules. To continue, choose the same file again.
          </p>
          <div className="row">
            <Button
              onClick={() => {
                forgetJournal()
                setJournal(null)
              }}
            >
              Discard
            </Button>
          </div>
        </section>
      )}
      <label
        className="drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          choose(event.dataTransfer.files.item(0))
        }}
      >
        <input
          type="file"
          className="hidden"
          aria-describedby="drop-hint"
          onChange={(event) => choose(event.target.files?.item(0))}
        />
        <strong>Drop a file here, or choose one</strong>
        <span className="soft" id="drop-hint">
          A CSV file, or a list with one value per line. Any size, also compressed with gzip.
          Nothing changes until you confirm.
        </span>
      </label>
    </div>
  )
}

// Sending: the progress and the result. The user can leave and come back.
const Working = ({ state }: { readonly state: ImportState }) => (
  <section className="card stack" aria-label="Import">
    {state.step === "sending" && <Sending state={state} />}
    {state.step === "stopped" && <Stopped state={state} />}
    {state.step === "done" && state.outcome !== null && <Done outcome={state.outcome} />}
  </section>
)

const Sending = ({ state: { progress } }: { readonly state: ImportState }) => {
  const { done, total, waitSeconds } = progress
  return (
    <>
      <p className="big" role="status">
        {count(done)} of {plural(total, "rule")}
      </p>
      <progress aria-label="Sent" max={Math.max(1, total)} value={done} />
      <p className="soft small" role="status">
        {waitSeconds > 0
          ? `Too many requests. Continuing in ${Math.ceil(waitSeconds)} seconds.`
          : "You can go to other screens. Keep this tab open until the import is done."}
      </p>
      <div className="row">
        <Button onClick={() => importJob.stop()}>Stop</Button>
      </div>
    </>
  )
}

const Stopped = ({ state }: { readonly state: ImportState }) => {
  const { changes, error, journal, progress, types } = state
  const isReplacing = changes !== null
  return (
    <>
      <p role="status">
        Stopped after {count(progress.done)} of {plural(progress.total, "rule")}. Rules that were
        sent stay.
      </p>
      <Problem error={error} />
      <div className="row">
        {isReplacing ? (
          <Button kind="primary" onClick={() => void importJob.compare(types)}>
            Compare again
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void importJob.add()}>
            Continue with the other {count(progress.total - (journal?.done ?? 0))}
          </Button>
        )}
      </div>
    </>
  )
}

const Done = ({ outcome }: { readonly outcome: Outcome }) => {
  const { added, duplicates, refused, removed } = outcome
  return (
    <>
      <p className="big" role="status">
        Added {plural(added, "rule")}
        {removed > 0 && `, removed ${count(removed)}`}
      </p>
      {duplicates > 0 && <p>Already there: {plural(duplicates, "rule")}.</p>}
      {refused > 0 && <p className="warning">The server rejected {plural(refused, "rule")}.</p>}
      <p className="soft">People who match are suppressed within a minute.</p>
      <div className="row">
        <Link className="button primary" to="/suppression" search={{}}>
          View the list
        </Link>
        <Button onClick={() => importJob.reset()}>Import another file</Button>
      </div>
    </>
  )
}

// The result of reading the file: rules, duplicate rows, and rejected rows with line numbers and reasons.
interface FileContentsProps {
  readonly state: ImportState
  readonly reading: Reading
}

const FileContents = ({ state, reading }: FileContentsProps) => {
  const { rejectedCount, repeated, rows, rules, rulesByType, warning } = reading
  const types = ruleTypes.filter((type) => rulesByType[type] > 0)
  return (
    <section className="card stack" aria-label="Contents">
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

export default SuppressionImport
