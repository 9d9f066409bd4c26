// The rule builder: nested groups of conditions, next to the people or companies they match, and the same rule as code. The URL
// keeps the rule, so it survives a reload and can be shared as a link.
import type { RuleAst, Segment, Timeframe } from "@footfall/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useEffect, useEffectEvent, useState } from "react"
import { timeframes } from "../frame/period.ts"
import { ForSite, useScope } from "../frame/scope.tsx"
import { segmentQuery } from "../queries.ts"
import { useMe } from "../session/use-session.ts"
import { AreaField, ChoiceField } from "../ui/field.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { useSettled } from "../ui/use-settled.ts"
import { conditionCount, type Draft, draftOf, newDraft, NoRule, ruleOf } from "./draft.ts"
import { GroupBox } from "./group.tsx"
import { companyFields, fields } from "./fields.ts"
import { Save } from "./save.tsx"
import { useSuggestions } from "./suggestions.ts"
import { Snippet } from "../ui/copy.tsx"
import { nameOf } from "../people/name.ts"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { plural } from "../ui/time.tsx"
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
      <Screen title="View">
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
  const search = useSearch({ strict: false })
  const inAddress = search.rule
  const subject = segment?.subject ?? search.subject ?? "people"
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
        {subject === "people" ? (
          <Link to="/people" search={{ segment: segment?.id }}>
            {segment === undefined ? "Back to People" : "Show the people of this view"}
          </Link>
        ) : (
          <Link to="/companies" search={{ segment: segment?.id }}>
            {segment === undefined ? "Back to Companies" : "Show the companies of this view"}
          </Link>
        )}
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
          {segment === undefined && <SubjectChoice subject={subject} />}
          {tab === "form" && <Form draft={draft} subject={subject} onDraft={setDraft} />}
          {tab === "json" && <AsJson rule={rule} onDraft={setDraft} />}
          {tab === "lines" && <AsLines rule={rule} subject={subject} />}
          {canWrite && (
            <Save
              segment={segment}
              subject={subject}
              rule={rule}
              isChanged={JSON.stringify(rule) !== savedRule(segment)}
            />
          )}
        </div>
        <ForSite>
          <Matches rule={rule} subject={subject} />
        </ForSite>
      </div>
    </Screen>
  )
}

type Subject = Segment["subject"]

/** The URL keeps it. The subject of a saved segment never changes. */
const SubjectChoice = ({ subject }: { readonly subject: Subject }) => {
  const navigate = useNavigate()
  return (
    <ChoiceField<Subject>
      label="What the rule selects"
      choices={[
        { value: "people", text: "People" },
        { value: "companies", text: "Companies" },
      ]}
      value={subject}
      onValue={(chosen) =>
        void navigate({
          to: ".",
          search: (old) => ({ ...old, subject: chosen === "people" ? undefined : chosen }),
          replace: true,
        })
      }
    />
  )
}

interface FormProps {
  readonly draft: Draft
  readonly subject: Subject
  readonly onDraft: (draft: Draft) => void
}

const Form = ({ draft, subject, onDraft }: FormProps) => {
  const found = useSuggestions()
  const suggestions =
    subject === "people"
      ? { ...found, fields }
      : { ...found, fields: companyFields, customFields: [] }
  const { rule, window } = draft
  return (
    <>
      <div className="row">
        <ChoiceField<Timeframe>
          label="Time window of this rule"
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

/** The segment's rule as the builder writes it. */
const savedRule = (segment: Segment | undefined): string | undefined =>
  segment === undefined ? undefined : JSON.stringify(ruleOf(draftOf(segment.ruleAst)))

/** Leaves out the rule when it equals the saved one. */
const useRuleInAddress = (rule: string | undefined, segment: Segment | undefined): void => {
  const navigate = useNavigate()
  const settled = useSettled(rule)
  const saved = savedRule(segment)
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

// The rule as code: editable JSON, and snippets for a terminal or a program.
interface JsonProps {
  readonly rule: RuleAst | undefined
  readonly onDraft: (draft: Draft) => void
}

/** Typed text applies as soon as it's a valid rule. */
const AsJson = ({ rule, onDraft }: JsonProps) => {
  const [text, setText] = useState(() => JSON.stringify(rule ?? null, null, 2))
  const [wrong, setWrong] = useState<string | undefined>(
    rule === undefined ? "A condition is incomplete." : undefined,
  )
  const read = (typed: string): void => {
    setText(typed)
    try {
      onDraft(draftOf(JSON.parse(typed)))
      setWrong(undefined)
    } catch (error) {
      if (error instanceof NoRule) setWrong(error.message)
      else if (error instanceof SyntaxError) setWrong("This is not JSON yet.")
      else throw error
    }
  }
  return <AreaField label="The rule as JSON" value={text} onValue={read} wrong={wrong} />
}

interface LinesProps {
  readonly rule: RuleAst | undefined
  readonly subject: Subject
}

const AsLines = ({ rule, subject }: LinesProps) => {
  if (rule === undefined) return <p className="soft">Complete every condition to see the code.</p>
  const json = JSON.stringify(rule)
  return (
    <>
      <h2>On the command line</h2>
      <Snippet
        label="command"
        text={`footfall ${subject === "people" ? "visitors" : "companies"} query --all --rule ${quoted(json)}`}
      />
      <h2>With the SDK</h2>
      <Snippet
        label="program"
        text={
          subject === "people"
            ? `const people = footfall.visitors.query({ ruleAst: ${json} })\nfor await (const person of people) console.log(person.email)`
            : `const companies = footfall.companies.query({ ruleAst: ${json} })\nfor await (const company of companies) console.log(company.domain)`
        }
      />
    </>
  )
}

/** Quotes for a shell. Inside single quotes only the quote itself needs escaping. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

// How many people or companies a rule matches now, and eight of them. It updates shortly after the last change.
const shownMax = 8

/** Undefined while the rule is incomplete. */
const Matches = ({ rule, subject }: LinesProps) => {
  const { pixelId, site } = useScope()
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(rule))
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["segments", "preview", settled, pixelId, subject],
    queryFn: ({ signal }) =>
      // The text was just made from a rule.
      footfall.segments.preview(
        { ruleAst: JSON.parse(settled) as RuleAst, subject, pixelId },
        { signal },
      ),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const isOfPeople = subject === "people"
  const countText = (matching: number) =>
    isOfPeople ? plural(matching, "person", "people") : plural(matching, "company", "companies")
  return (
    <section className="card stack" aria-label="Preview" aria-busy={isFetching}>
      <p role="status" className="big">
        {data === undefined || error !== null ? "" : countText(data.count)}
        {data === undefined && error === null && settled !== undefined && "Counting…"}
      </p>
      {rule === undefined && <p className="soft small">Complete every condition to count again.</p>}
      <Problem
        error={error}
        title={`Can't count these ${subject}`}
        onRetry={() => void refetch()}
      />
      {data?.count === 0 && error === null && (
        <p className="soft">{isOfPeople ? "No one" : "No company"} matches now.</p>
      )}
      <ul className="lines" aria-label="Sample">
        {data?.sample.slice(0, shownMax).map((person) => (
          <li key={person.emailHash}>
            <p className="cut">
              <Link
                to="/people/$visitorId"
                params={{ visitorId: person.emailHash }}
                search={{ window: "all" }}
              >
                {nameOf(person)}
              </Link>
            </p>
            <p className="cut soft small">
              {[person.jobTitle, person.companyName ?? person.companyDomain]
                .filter((text) => text !== null)
                .join(" · ")}
            </p>
          </li>
        ))}
        {data?.companies.slice(0, shownMax).map(({ domain, industry, name }) => (
          <li key={domain}>
            <p className="cut">
              <Link to="/companies/$domain" params={{ domain }} search={{ window: "all" }}>
                {name ?? domain}
              </Link>
            </p>
            <p className="cut soft small">
              {[name === null ? null : domain, industry]
                .filter((text) => text !== null)
                .join(" · ")}
            </p>
          </li>
        ))}
      </ul>
      {rule !== undefined && isOfPeople && (
        <p>
          <Link to="/people" search={{ rule, window: rule.window, site }} className="button">
            View the list
          </Link>
        </p>
      )}
    </section>
  )
}

export default Builder
