// What replacing the list would add and remove, with a confirmation. To remove most of a long list, or all of it, the
// user must type the number.
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { TextField } from "../../ui/field.tsx"
import { count, plural } from "../../ui/time.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { importJob, sumOf } from "./job.ts"
import { rulesPerRequest, type Changes, type Reading } from "./messages.ts"

interface DifferenceProps {
  readonly changes: Changes
  readonly reading: Reading
}

export const Difference = ({ changes, reading }: DifferenceProps) => {
  const { additions, removals } = changes
  const [added, removed] = [sumOf(additions), sumOf(removals)]
  if (added + removed === 0) return <p role="status">The list already equals the file.</p>
  return (
    <div className="stack">
      <ByType changes={changes} />
      <Removals changes={changes} />
      {reading.rules > rulesPerRequest && (
        <p className="soft small">
          The file has more than {count(rulesPerRequest)} rules, so the list is changed in several
          steps: rules are added first and removed then. If it stops, compare and replace again.
        </p>
      )}
      <Question changes={changes} isCleared={reading.isEmpty} />
    </div>
  )
}

const ByType = ({ changes: { additions, present, removals } }: { readonly changes: Changes }) => (
  <table className="plain-table" aria-label="Difference">
    <thead>
      <tr>
        <th>Type</th>
        <th className="number">Now</th>
        <th className="number">Added</th>
        <th className="number">Removed</th>
        <th className="number">Then</th>
      </tr>
    </thead>
    <tbody>
      {ruleTypes
        .filter((type) => present[type] + additions[type] > 0)
        .map((type) => (
          <tr key={type}>
            <td>{ruleWords[type].many}</td>
            <td className="number">{count(present[type])}</td>
            <td className="number">{count(additions[type])}</td>
            <td className="number">{count(removals[type])}</td>
            <td className="number">{count(present[type] + additions[type] - removals[type])}</td>
          </tr>
        ))}
    </tbody>
  </table>
)

const Removals = ({ changes: { firstRemovals, removals } }: { readonly changes: Changes }) => {
  if (firstRemovals.length === 0) return null
  const others = sumOf(removals) - firstRemovals.length
  return (
    <details>
      <summary>Rules that would be removed</summary>
      <ul className="removals" tabIndex={0} aria-label="Rules that would be removed">
        {firstRemovals.map(({ type, value }) => (
          <li key={`${type} ${value}`} className="break">
            <code>{value}</code> <span className="soft small">{ruleWords[type].one}</span>
          </li>
        ))}
      </ul>
      {others > 0 && <p className="soft small">And {count(others)} more.</p>}
    </details>
  )
}

interface QuestionProps {
  readonly changes: Changes
  readonly isCleared: boolean
}

const Question = ({ changes, isCleared }: QuestionProps) => {
  const [typed, setTyped] = useState("")
  const removed = sumOf(changes.removals)
  const isAsked = changes.isMost || isCleared
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void importJob.replace()
      }}
    >
      {isAsked && (
        <>
          <p className="warning">
            {isCleared
              ? "The file is empty: every rule will be removed."
              : `This removes ${count(removed)} of ${plural(sumOf(changes.present), "rule")}, more than half of the list.`}
          </p>
          <TextField
            label={`Type ${removed} to remove ${plural(removed, "rule")}`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onValue={setTyped}
          />
        </>
      )}
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          isDanger={removed > 0}
          disabled={isAsked && typed.trim() !== String(removed)}
        >
          {removed === 0
            ? `Add ${plural(sumOf(changes.additions), "rule")}`
            : `Add ${count(sumOf(changes.additions))} and remove ${count(removed)}`}
        </Button>
      </div>
    </form>
  )
}
