// Asks what to do with the rules of the file: add them, or make the list match it.
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { ChoiceField, TextField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { count, plural } from "../../ui/time.tsx"
import { Affected } from "../affected.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { importJob, type ImportState, previewRulesMax, sumOf } from "./job.ts"
import { type Changes, type Reading, rulesPerRequest } from "./messages.ts"

interface DecideProps {
  readonly state: ImportState
  readonly reading: Reading
}

export const Decide = ({ state, reading }: DecideProps) => {
  const isComparing = state.step === "comparing" || state.step === "compared"
  const [what, setWhat] = useState<"add" | "replace">(isComparing ? "replace" : "add")
  const { isEmpty, rules } = reading
  if (rules === 0 && !isEmpty) {
    return (
      <section className="card stack" aria-label="Next step">
        <p>The file has no valid rule, so nothing can be added.</p>
      </section>
    )
  }
  return (
    <section className="card stack" aria-label="Next step">
      {state.journal === null && (
        <ChoiceField
          label="What to do"
          choices={[
            { value: "add", text: "Add the rules of the file to the list" },
            { value: "replace", text: "Replace the list with the file" },
          ]}
          value={what}
          onValue={setWhat}
        />
      )}
      {what === "add" ? (
        <Add state={state} reading={reading} />
      ) : (
        <Replace state={state} reading={reading} />
      )}
      <Problem error={state.error} />
    </section>
  )
}

const Add = ({ state, reading: { rules } }: DecideProps) => {
  const { journal } = state
  const done = journal?.done ?? 0
  return (
    <>
      {journal === null ? (
        <EffectWords state={state} rules={rules} />
      ) : (
        <p>
          This file stopped after {count(done)} of {count(rules)} rules the last time.
        </p>
      )}
      <div className="row">
        <Button kind="primary" disabled={rules === 0} onClick={() => void importJob.add()}>
          {journal === null
            ? `Add ${plural(rules, "rule")}`
            : `Continue with the other ${count(rules - done)}`}
        </Button>
      </div>
    </>
  )
}

const EffectWords = ({
  state: { effect, error },
  rules,
}: {
  readonly state: ImportState
  readonly rules: number
}) => {
  if (rules > previewRulesMax) {
    return (
      <p className="soft">
        New rules and the people they match are counted up to {count(previewRulesMax)} rules.
        Existing rules stay as they are.
      </p>
    )
  }
  if (effect === null) {
    return error === null && rules > 0 ? <p role="status">Counting the people who match…</p> : null
  }
  const { affectedVisitors, duplicates, isExact, sample, wouldAdd } = effect
  return (
    <p role="status">
      {plural(wouldAdd, "new rule")}
      {duplicates > 0 && `, ${count(duplicates)} already there`}.{" "}
      <Affected people={affectedVisitors} isExact={isExact} sample={sample} />
    </p>
  )
}

const Replace = ({ state, reading }: DecideProps) => {
  const types = ruleTypes.filter((type) => reading.rulesByType[type] > 0)
  const [isWhole, setWhole] = useState(types.length === 0)
  const names = types.map((type) => ruleWords[type].many.toLowerCase()).join(", ")
  const { changes, progress, step } = state
  return (
    <>
      {types.length > 0 && types.length < ruleTypes.length && (
        <ChoiceField
          label="Which rules"
          choices={[
            { value: "types", text: `Only rules of the types in the file: ${names}` },
            { value: "whole", text: "The whole list. Rules of other types are removed" },
          ]}
          value={isWhole ? "whole" : "types"}
          onValue={(value) => setWhole(value === "whole")}
        />
      )}
      {reading.rejectedCount > 0 && (
        <p className="warning">
          {plural(reading.rejectedCount, "rejected row")} will not be on the list.
        </p>
      )}
      {step === "comparing" ? (
        <div className="stack" role="status">
          <progress
            aria-label="Comparing with the list"
            max={Math.max(1, progress.total)}
            value={progress.done}
          />
          <p className="soft small">Comparing with the list: {count(progress.done)} rules</p>
        </div>
      ) : (
        <div className="row">
          <Button
            kind={changes === null ? "primary" : "normal"}
            onClick={() =>
              void importJob.compare(isWhole || types.length === ruleTypes.length ? null : types)
            }
          >
            {changes === null ? "Compare with the list" : "Compare again"}
          </Button>
        </div>
      )}
      {step === "compared" && changes !== null && (
        <Difference key={JSON.stringify(changes)} changes={changes} reading={reading} />
      )}
    </>
  )
}

// What replacing the list would add and remove, with a confirmation. To remove most of a long list, or all of it, the
// user must type the number.
interface DifferenceProps {
  readonly changes: Changes
  readonly reading: Reading
}

const Difference = ({ changes, reading }: DifferenceProps) => {
  const { additions, removals } = changes
  const [added, removed] = [sumOf(additions), sumOf(removals)]
  if (added + removed === 0) return <p role="status">The list already matches the file.</p>
  return (
    <div className="stack">
      <ByType changes={changes} />
      <Removals changes={changes} />
      {reading.rules > rulesPerRequest && (
        <p className="soft small">
          The file has more than {count(rulesPerRequest)} rules, so the list is changed in several
          steps: rules are added first, then removed. If it stops, compare and replace again.
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
        <th className="number">After</th>
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
  const needsConfirmation = changes.isMost || changes.isOfOtherTypes || isCleared
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void importJob.replace()
      }}
    >
      {needsConfirmation && (
        <>
          <p className="warning">
            {isCleared
              ? "The file is empty: every rule will be removed."
              : `This removes ${count(removed)} of ${plural(sumOf(changes.present), "rule")}${
                  changes.isOfOtherTypes
                    ? ": the file has other types than the list. Is it the right column?"
                    : ", more than half of the list."
                }`}
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
          disabled={needsConfirmation && typed.trim() !== String(removed)}
        >
          {removed === 0
            ? `Add ${plural(sumOf(changes.additions), "rule")}`
            : `Add ${count(sumOf(changes.additions))} and remove ${count(removed)}`}
        </Button>
      </div>
    </form>
  )
}
