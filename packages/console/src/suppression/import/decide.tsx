// Asks what to do with the rules of the file: add them, or make the list match it.
import { useState } from "react"
import { Button } from "../../ui/button.tsx"
import { ChoiceField } from "../../ui/field.tsx"
import { Problem } from "../../ui/problem.tsx"
import { count, plural } from "../../ui/time.tsx"
import { ruleTypes, ruleWords } from "../words.ts"
import { importJob, previewRulesMax, type ImportState } from "./job.ts"
import type { Reading } from "./messages.ts"
import { Difference } from "./difference.tsx"

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
        How many rules are new, and whom they concern, is counted up to {count(previewRulesMax)}{" "}
        rules. Rules that are already there are left as they are.
      </p>
    )
  }
  if (effect === null) {
    return error === null && rules > 0 ? <p role="status">Counting whom this concerns…</p> : null
  }
  const { affectedVisitors, duplicates, isExact, wouldAdd } = effect
  return (
    <p role="status">
      {plural(wouldAdd, "new rule")}
      {duplicates > 0 && `, ${count(duplicates)} already there`}.{" "}
      {affectedVisitors === 0
        ? "No one seen in the last 30 days matches."
        : `${isExact ? "" : "At most "}${plural(affectedVisitors, "person", "people")} seen in the last 30 days will be suppressed.`}
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
