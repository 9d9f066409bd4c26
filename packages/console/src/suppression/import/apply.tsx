// What the plan would change, and the button that applies it. To remove most of a long list, or all of it, the user
// must type the number.
import {
  ApiError,
  NotFoundError,
  type FileImportPlan,
  type SuppressionRuleInput,
} from "@footfall/sdk"
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { TextField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { count, plural } from "../../ui/time.tsx"
import { Affected } from "../affected.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import type { Import } from "./use-import.ts"

interface ApplyProps {
  readonly imports: Import
  readonly plan: FileImportPlan
}

export const Apply = ({ imports, plan }: ApplyProps) => {
  const nothing = nothingToDo(plan)
  return (
    <section className="card stack" aria-label="Next step">
      {nothing !== null ? (
        <p role="status">{nothing}</p>
      ) : (
        <>
          <div role="status" className="stack">
            <Effect plan={plan} />
          </div>
          <ByType plan={plan} />
          <Sample title="Some of the new rules" rules={plan.sample.new} total={plan.new} />
          <Sample
            title="Some of the rules that would be removed"
            rules={plan.sample.removed}
            total={plan.removed}
          />
          <Question imports={imports} plan={plan} />
        </>
      )}
    </section>
  )
}

/** Why the plan can't be applied, or need not be; null if it can. */
const nothingToDo = (plan: FileImportPlan): string | null => {
  const { guard, mode, removed, rows, rules } = plan
  if (rules === 0 && rows > 0) return "The file has no valid rule, so nothing can be changed."
  if (rules === 0 && guard?.reason !== "empty") return "The file has no rows."
  if (mode === "add" && rules === 0) return "The file has no rows, so nothing can be added."
  if (plan.new + removed > 0) return null
  if (mode === "add") return "Every rule of the file is on the list already."
  return mode === "remove"
    ? "No rule of the file is on the list."
    : "The list already matches the file."
}

const Effect = ({ plan }: { readonly plan: FileImportPlan }) => {
  const { affected, mode, present, rejected, removed, types } = plan
  if (mode === "remove") {
    return (
      <p>
        {plural(removed, "rule")} of the file {removed === 1 ? "is" : "are"} on the list.
      </p>
    )
  }
  if (mode === "replace") {
    return (
      <>
        <p>
          {plural(plan.new, "new rule")}, {count(present)} already there, {count(removed)} to
          remove.
          {types !== null && " Rules of other types stay."}
        </p>
        {rejected > 0 && (
          <p className="warning">{plural(rejected, "rejected row")} will not be on the list.</p>
        )}
      </>
    )
  }
  return (
    <p>
      {plural(plan.new, "new rule")}
      {present > 0 && `, ${count(present)} already there`}.{" "}
      {affected === null ? (
        "The people who match are counted up to 100,000 rules."
      ) : (
        <Affected people={affected.visitors} sample={affected.sample} />
      )}
    </p>
  )
}

const ByType = ({ plan }: { readonly plan: FileImportPlan }) => {
  const { rules, new: added, removed, stored } = plan.byType
  return (
    <table className="plain-table" aria-label="Changes">
      <thead>
        <tr>
          <th>Type</th>
          <th className="number">Now</th>
          <th className="number">Added</th>
          {plan.mode !== "add" && <th className="number">Removed</th>}
          <th className="number">After</th>
        </tr>
      </thead>
      <tbody>
        {ruleTypes
          .filter((type) => rules[type] + removed[type] > 0)
          .map((type) => (
            <tr key={type}>
              <td>{ruleWords[type].many}</td>
              <td className="number">{count(stored[type])}</td>
              <td className="number">{count(added[type])}</td>
              {plan.mode !== "add" && <td className="number">{count(removed[type])}</td>}
              <td className="number">{count(stored[type] + added[type] - removed[type])}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

interface SampleProps {
  readonly title: string
  readonly rules: ReadonlyArray<SuppressionRuleInput>
  readonly total: number
}

const Sample = ({ title, rules, total }: SampleProps) => {
  if (rules.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {rules.map(({ type, value }) => (
          <li key={`${type} ${value}`} className="break">
            <code>{value}</code> <span className="soft small">{ruleWords[type].one}</span>
          </li>
        ))}
      </ul>
      {total > rules.length && (
        <p className="soft small">And {count(total - rules.length)} more.</p>
      )}
    </details>
  )
}

const Question = ({ imports: { apply, ask }, plan }: ApplyProps) => {
  const [typed, setTyped] = useState("")
  const { guard, importId, removed } = plan
  const needsNumber = guard !== null && removed > 0
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        apply.mutate({
          importId,
          allowRemovals: removed,
          ...(guard?.reason === "empty" && { allowEmpty: true }),
        })
      }}
    >
      {needsNumber && (
        <>
          <p className="warning">{guardWords(guard)}</p>
          <TextField
            label={`Type ${removed} to remove ${plural(removed, "rule")}`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onValue={setTyped}
          />
        </>
      )}
      <Failure error={apply.error} onAgain={() => ask({})} />
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          isDanger={removed > 0}
          isBusy={apply.isPending}
          disabled={isOver(apply.error) || (needsNumber && typed.trim() !== String(removed))}
        >
          {verbOf(plan)}
        </Button>
      </div>
    </form>
  )
}

const verbOf = ({ new: added, removed }: FileImportPlan): string => {
  if (removed === 0) return `Add ${plural(added, "rule")}`
  return added === 0
    ? `Remove ${plural(removed, "rule")}`
    : `Add ${count(added)} and remove ${count(removed)}`
}

const guardWords = ({ present, reason, removals }: NonNullable<FileImportPlan["guard"]>) => {
  if (reason === "empty") return "The file is empty: every rule will be removed."
  const what = `This removes ${count(removals)} of ${plural(present, "rule")}`
  return reason === "other_types"
    ? `${what}: the file has other types than the list. Is it the right column?`
    : `${what}, more than half of the list.`
}

/** Whether the plan is no longer good. */
const isOver = (error: unknown): boolean =>
  error instanceof NotFoundError ||
  (error instanceof ApiError && ["LIST_CHANGED", "IMPORT_GUARDED"].includes(error.code))

interface FailureProps {
  readonly error: unknown
  readonly onAgain: () => void
}

const Failure = ({ error, onAgain }: FailureProps) => {
  if (!isOver(error)) return <Problem error={error} title="The plan was not applied" />
  return (
    <div className="problem" role="alert">
      <p>
        {error instanceof NotFoundError
          ? "This plan is gone: a file waits for an hour, or until it is applied or five newer files wait. Check the file again to see what is left to change."
          : error instanceof ApiError && error.code === "LIST_CHANGED"
            ? "The list has changed since the file was compared. Nothing was changed. Check the file again to see what would change now."
            : "The server asks for another confirmation than this page did. Nothing was changed. Check the file again."}
      </p>
      <Button onClick={onAgain}>Check the file again</Button>
    </div>
  )
}
