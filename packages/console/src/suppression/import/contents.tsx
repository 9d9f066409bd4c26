// What the file contains: rules, repeated rows, and rejected rows with line numbers and reasons.
import type { FileImportPlan } from "@footfall/sdk"
import { useMutation } from "@tanstack/react-query"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { saveFile } from "../../ui/save-file.ts"
import { count, plural } from "../../ui/time.tsx"
import { rejectionWords, ruleTypes, ruleWords } from "../words.ts"
import { kind } from "./use-import.ts"

interface ContentsProps {
  readonly plan: FileImportPlan
  /** Of the file. */
  readonly name: string
}

export const Contents = ({ plan, name }: ContentsProps) => {
  const { byType, freeMailDomains, mode, rejected, repeated, rows, rules } = plan
  return (
    <section className="card stack" aria-label="Contents">
      <p className="big" role="status">
        {plural(rules, "rule")} in {plural(rows, "row")}
      </p>
      <dl className="facts">
        {ruleTypes
          .filter((type) => byType.rules[type] > 0)
          .map((type) => (
            <div key={type} className="contents">
              <dt>{ruleWords[type].many}</dt>
              <dd>{count(byType.rules[type])}</dd>
            </div>
          ))}
        {repeated > 0 && (
          <>
            <dt>Repeated</dt>
            <dd>{plural(repeated, "row")} with a rule of an earlier row</dd>
          </>
        )}
        <dt>Rejected</dt>
        <dd>{rejected === 0 ? "none" : plural(rejected, "row")}</dd>
      </dl>
      {mode !== "remove" && freeMailDomains.length > 0 && (
        <p className="warning break">
          {domainsShown(freeMailDomains)}{" "}
          {freeMailDomains.length === 1 ? "is a free-mail domain" : "are free-mail domains"}:
          everyone with an address there is suppressed.
        </p>
      )}
      {rejected > 0 && <Rejected plan={plan} name={name} />}
    </section>
  )
}

const domainsShown = (domains: ReadonlyArray<string>): string => {
  const more = domains.length - 5
  return domains.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "")
}

const Rejected = ({ plan, name }: ContentsProps) => {
  const { importId, rejected, rejectedByReason, rejectedRows } = plan
  const save = useMutation({
    mutationFn: async () => {
      const parts: Array<BlobPart> = []
      for await (const bytes of await footfall.fileImports.rejected(kind, importId)) {
        parts.push(new Uint8Array(bytes))
      }
      saveFile(`${name}.rejected.csv`, parts)
    },
  })
  const reasons = rejectedByReason.map(
    ({ reason, rows }) => `${count(rows)} ${rejectionWords(reason)}`,
  )
  return (
    <details>
      <summary>Rejected rows: {reasons.join("; ")}</summary>
      <div className="stack">
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
              {rejectedRows.map(({ line, message, reason, value }) => (
                <tr key={line}>
                  <td className="number">{line}</td>
                  <td className="break">{value.slice(0, 80)}</td>
                  <td>{message ?? rejectionWords(reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rejected > rejectedRows.length && (
          <p className="soft small">
            The first {count(rejectedRows.length)} of {count(rejected)}. The download has up to
            100,000.
          </p>
        )}
        <div className="row">
          <Button isBusy={save.isPending} onClick={() => save.mutate()}>
            Download the rejected rows
          </Button>
        </div>
        <Problem error={save.error} title="The rejected rows were not downloaded" />
      </div>
    </details>
  )
}
