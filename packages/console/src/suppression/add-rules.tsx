// Adds typed or pasted rules, and first shows their effect.
import type { SuppressionPreview, SuppressionRuleType, SuppressionWrite } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useDeferredValue, useState } from "react"
import { footfall } from "../session/session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { AreaField, ChoiceField } from "../ui/field.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { Problem } from "../ui/problem.tsx"
import { count, plural } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { Affected } from "./affected.tsx"
import { rulesOf, typeOfValues } from "./typed-rules.ts"
import { useAddRules } from "./use-rules.ts"
import { rejectionWords, ruleTypes, ruleWords } from "./words.ts"

/** Maximum per request. spec 5.5.3 */
const rulesMax = 25_000

interface AddRulesProps {
  readonly type: SuppressionRuleType
  readonly onClose: () => void
}

export const AddRules = ({ type: typeFirst, onClose }: AddRulesProps) => {
  const [chosen, setChosen] = useState<SuppressionRuleType>()
  const [text, setText] = useState("")
  const settled = useDeferredValue(text)
  const type = chosen ?? typeOfValues(typeFirst, settled)
  const rules = rulesOf(type, settled)
  const isTooLong = rules.length > rulesMax
  const preview = usePreview(type, isTooLong ? "" : text)
  const add = useAddRules(onClose)
  const words = ruleWords[type]
  if (add.data !== undefined && add.data.rejectedCount > 0) {
    return <NotAdded result={add.data} onClose={onClose} />
  }
  const rejectedCount = preview.data?.rejectedCount ?? 0
  const valid = Math.max(0, rules.length - rejectedCount)
  return (
    <FormDialog
      title="Add rules"
      onClose={onClose}
      isWide
      verb={`Add ${plural(valid, "rule")}${rejectedCount > 0 ? `, skip ${count(rejectedCount)}` : ""}`}
      write={add}
      failure="No rule was added"
      isReady={valid > 0 && !isTooLong}
      onSubmit={() => add.mutate(rules)}
    >
      <ChoiceField
        label="Type"
        choices={ruleTypes.map((value) => ({ value, text: ruleWords[value].one }))}
        value={type}
        onValue={setChosen}
        hint={`A rule matches ${words.matches}.`}
      />
      <AreaField
        label="Values"
        hint={`One per line, for example ${words.example}`}
        wrong={isTooLong ? `At most ${plural(rulesMax, "rule")} at once` : undefined}
        value={text}
        onValue={setText}
        required
      />
      {rules.length > 0 && !isTooLong && <Effect preview={preview} />}
    </FormDialog>
  )
}

/** What adding the rules would do. It updates shortly after the last keystroke. */
const usePreview = (type: SuppressionRuleType, text: string) => {
  const rules = rulesOf(type, useSettled(text))
  return useQuery({
    queryKey: ["suppression", "preview", rules],
    queryFn: ({ signal }) => footfall.suppression.preview(rules, { signal }),
    enabled: rules.length > 0,
    placeholderData: (before) => (rules.length > 0 ? before : undefined),
  })
}

const Effect = ({
  preview: { data, error },
}: {
  readonly preview: Pick<ReturnType<typeof usePreview>, "data" | "error">
}) => {
  if (error !== null) return <Problem error={error} />
  return (
    <div role="status" className="stack">
      {data === undefined ? (
        <p className="soft">Looking for people who match…</p>
      ) : (
        <Words data={data} />
      )}
    </div>
  )
}

interface NotAddedProps {
  readonly result: SuppressionWrite
  readonly onClose: () => void
}

/** All rules were added except these. The user can fix and add them again. */
const NotAdded = ({ result, onClose }: NotAddedProps) => {
  const { added, rejected, rejectedCount } = result
  return (
    <Dialog title={`${plural(rejectedCount, "value")} not added`} onClose={onClose} isWide>
      <p>
        Added {plural(added, "rule")}. {rejectedCount === 1 ? "This value is" : "These values are"}{" "}
        invalid:
      </p>
      <ul className="wrong">
        {rejected.map(({ index, message, reason, value }) => (
          <li key={index} className="break">
            {value}: {message ?? rejectionWords(reason)}
          </li>
        ))}
      </ul>
      {rejectedCount > rejected.length && (
        <p className="soft">And {count(rejectedCount - rejected.length)} more.</p>
      )}
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}

const Words = ({ data }: { readonly data: SuppressionPreview }) => (
  <>
    <p>
      {plural(data.wouldAdd, "new rule")}
      {data.duplicates > 0 && `, ${data.duplicates} already there`}
      {data.rejectedCount > 0 && `, ${data.rejectedCount} invalid`}.{" "}
      <Affected people={data.affectedVisitors} sample={data.sample} />
    </p>
    {data.rejected.length > 0 && (
      <ul className="wrong">
        {data.rejected.slice(0, 5).map(({ index, message, reason, value }) => (
          <li key={index} className="break">
            {value}: {message ?? rejectionWords(reason)}
          </li>
        ))}
      </ul>
    )}
  </>
)
