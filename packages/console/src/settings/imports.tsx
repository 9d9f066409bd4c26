// Imports topics, signals, people and identity links from a file of any size. The file is sent unchanged in one
// request, so that a day of signals becomes visible all at once.
import type { ImportKind, ImportResult } from "@footfall/sdk"
import { useEffect, useState } from "react"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { ChoiceField, type Choice } from "../ui/field.tsx"
import { Problem } from "../ui/problem.tsx"
import { useTitle } from "../ui/screen.tsx"
import { count, duration, plural } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"

const kinds: ReadonlyArray<Choice<ImportKind>> = [
  { value: "people", text: "People: profiles to add to visitors" },
  { value: "identity-links", text: "Identity links: other addresses of a person" },
  { value: "topics", text: "Topics of the catalog" },
  { value: "signals", text: "Signals: who reads about which topic" },
]

/** Goes by the file name. Everything except NDJSON is treated as CSV. */
const formatOf = ({ name }: File) => (/\.(ndjson|jsonl)$/i.test(name) ? "ndjson" : "csv")

const Imports = () => {
  useTitle("Imports · Settings")
  const { isOwner } = useMe()
  return isOwner ? <ImportForm /> : <p className="soft">Imports are available to owners only.</p>
}

const ImportForm = () => {
  const [kind, setKind] = useState<ImportKind>("people")
  const [file, setFile] = useState<File | null>(null)
  const send = useWrite({
    write: (given: File) => footfall.imports.run(kind, given, { format: formatOf(given) }),
    changes: [["people"], ["person"], ["topics"], ["account"]],
    notice: ({ inserted, rejectedCount, updated }, { name }) => ({
      text: isolated`${name}: ${count(inserted)} new, ${count(updated)} changed, ${count(rejectedCount)} rejected`,
    }),
  })
  return (
    <section className="settings" aria-label="Imports">
      <form
        className="card stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (file !== null) send.mutate(file)
        }}
      >
        <h2>Import a file</h2>
        <p className="soft">
          CSV with a header row, or NDJSON with one object per line. Importing the same file again
          changes nothing.
        </p>
        <fieldset className="stack" disabled={send.isPending}>
          <ChoiceField label="Contents" choices={kinds} value={kind} onValue={setKind} />
          <div className="field">
            <label htmlFor="import-file">File</label>
            <input
              id="import-file"
              className="input"
              type="file"
              accept=".csv,.ndjson,.jsonl"
              required
              onChange={(event) => {
                setFile(event.target.files?.[0] ?? null)
                send.reset()
              }}
            />
          </div>
        </fieldset>
        <Problem error={send.error} title="The import stopped" />
        <div>
          <Button kind="primary" type="submit" isBusy={send.isPending} disabled={file === null}>
            Import
          </Button>
        </div>
        {send.isPending && file !== null && <Progress file={file} />}
      </form>
      {send.data !== undefined && <Outcome result={send.data} />}
    </section>
  )
}

const Progress = ({ file }: { readonly file: File }) => {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener("beforeunload", stay)
    return () => removeEventListener("beforeunload", stay)
  }, [])
  return (
    <div className="stack">
      <progress aria-label={`Importing ${file.name}`} />
      <p>
        Importing {file.name} ({count(Math.ceil(file.size / 1024))} KB), {duration(seconds)}. Keep
        this page open. Millions of signals take minutes to merge.
      </p>
    </div>
  )
}

const Outcome = ({ result }: { readonly result: ImportResult }) => {
  const { inserted, received, rejected, rejectedCount, unchanged, updated } = result
  return (
    <section className="card stack" aria-label="Result" role="status">
      <h2>{plural(received, "row")} read</h2>
      <dl className="facts">
        <dt>New</dt>
        <dd>{count(inserted)}</dd>
        <dt>Changed</dt>
        <dd>{count(updated)}</dd>
        <dt>Unchanged</dt>
        <dd>{count(unchanged)}</dd>
        <dt>Rejected</dt>
        <dd>{count(rejectedCount)}</dd>
      </dl>
      {rejected.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table">
            <caption>The first {rejected.length} rejected rows</caption>
            <thead>
              <tr>
                <th className="number">Row</th>
                <th>Field</th>
                <th>Reason</th>
              </tr>
            </thead>
            <tbody>
              {rejected.map(({ field, message, reason, row }) => (
                <tr key={`${row} ${field} ${reason}`}>
                  <td className="number">{count(row)}</td>
                  <td>{field !== null && <code>{field}</code>}</td>
                  <td className="break">{message ?? reason.replaceAll("_", " ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

export default Imports
