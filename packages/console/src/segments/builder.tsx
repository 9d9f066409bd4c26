// The rule builder: nested groups of conditions, next to the people they match, and the same rule as code. The URL
// keeps the rule, so it survives a reload and can be shared as a link.
import type { Segment, Timeframe } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useState } from "react"
import { ForSite } from "../frame/for-site.tsx"
import { timeframes } from "../frame/scope.ts"
import { segmentQuery } from "../queries.ts"
import { useMe } from "../session/use-session.ts"
import { ChoiceField } from "../ui/field.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { AsJson, AsLines } from "./as-code.tsx"
import { conditionCount, draftOf, newDraft, ruleOf, type Draft } from "./draft.ts"
import { GroupBox } from "./group.tsx"
import { Matches } from "./matches.tsx"
import { Save } from "./save.tsx"
import { useSuggestions } from "./suggestions.ts"
import "./segments.css"

const Builder = () => {
  const { segmentId } = useParams({ strict: false })
  return segmentId === undefined ? (
    <Rule segment={undefined} />
  ) : (
    <SavedSegment key={segmentId} segmentId={segmentId} />
  )
}

const SavedSegment = ({ segmentId }: { readonly segmentId: string }) => {
  const query = useQuery(segmentQuery(segmentId))
  if (query.data === undefined) {
    return (
      <Screen title="Segment">
        <Read query={query}>{() => null}</Read>
      </Screen>
    )
  }
  return <Rule segment={query.data} />
}

type Tab = "form" | "json" | "lines"

const tabs: ReadonlyArray<readonly [tab: Tab, name: string]> = [
  ["form", "Conditions"],
  ["json", "JSON"],
  ["lines", "Command line and SDK"],
]

const Rule = ({ segment }: { readonly segment: Segment | undefined }) => {
  const { canWrite } = useMe()
  const { rule: inAddress } = useSearch({ strict: false })
  const [draft, setDraft] = useState(() => {
    const given = inAddress ?? segment?.ruleAst
    return given === undefined ? newDraft() : draftOf(given)
  })
  const [tab, setTab] = useState<Tab>("form")
  const rule = ruleOf(draft)
  useRuleInAddress(JSON.stringify(rule), segment)
  return (
    <Screen title={segment === undefined ? "New rule" : segment.name}>
      <p className="soft">
        {segment?.description ?? "Who are you looking for?"}{" "}
        <Link to="/people" search={{ segment: segment?.id }}>
          {segment === undefined ? "Back to People" : "Show the people of this segment"}
        </Link>
      </p>
      <div className="rule">
        <div className="stack">
          <div className="tabs" role="group" aria-label="How the rule is shown">
            {tabs.map(([each, name]) => (
              <button
                key={each}
                type="button"
                className="tab"
                aria-pressed={each === tab}
                onClick={() => setTab(each)}
              >
                {name}
              </button>
            ))}
          </div>
          {tab === "form" && <Form draft={draft} onDraft={setDraft} />}
          {tab === "json" && <AsJson rule={rule} onDraft={setDraft} />}
          {tab === "lines" && <AsLines rule={rule} />}
          {canWrite && <Save segment={segment} rule={rule} />}
        </div>
        <ForSite>
          <Matches rule={rule} />
        </ForSite>
      </div>
    </Screen>
  )
}

interface FormProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

const Form = ({ draft, onDraft }: FormProps) => {
  const suggestions = useSuggestions()
  const { rule, window } = draft
  return (
    <>
      <div className="row">
        <ChoiceField<Timeframe>
          label="Window of the rule"
          choices={timeframes}
          value={window}
          onValue={(next) => onDraft({ ...draft, window: next })}
        />
      </div>
      <GroupBox
        group={rule}
        depth={1}
        count={conditionCount(rule)}
        suggestions={suggestions}
        onChange={(next) => onDraft({ ...draft, rule: next })}
        onRemove={undefined}
      />
    </>
  )
}

/** Leaves out the rule when it equals the saved one. */
const useRuleInAddress = (rule: string | undefined, segment: Segment | undefined): void => {
  const navigate = useNavigate()
  const settled = useSettled(rule)
  const saved = segment === undefined ? undefined : JSON.stringify(ruleOf(draftOf(segment.ruleAst)))
  const shown = settled === saved ? "" : settled
  const write = useEffectEvent((text: string) => {
    void navigate({
      to: ".",
      search: (old) => ({ ...old, rule: text === "" ? undefined : JSON.parse(text) }),
      replace: true,
    })
  })
  useEffect(() => {
    if (shown !== undefined) write(shown)
  }, [shown])
}

export default Builder
