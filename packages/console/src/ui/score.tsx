// The score of a person or a company: its number in lists, and what it is made of.
import { scoreReasonText } from "@footfall/normal-form/score-reason"
import { type ExplainedScore, NotFoundError, type Score, type TopScoreReason } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Feet, ScoreFeet, toneOf } from "../footprints/feet.tsx"
import { type Choice, ChoiceField } from "./field.tsx"
import { Problem } from "./problem.tsx"
import { Time } from "./time.tsx"

/** The order of a list. */
type Sort = "last_seen" | "score"

const sorts: ReadonlyArray<Choice<Sort>> = [
  { value: "last_seen", text: "Last seen first" },
  { value: "score", text: "Hottest first" },
]

interface SortFieldProps {
  readonly value: Sort | undefined
  readonly onValue: (sort: "score" | undefined) => void
}

export const SortField = ({ onValue, value = "last_seen" }: SortFieldProps) => (
  <ChoiceField
    label="Order"
    isCompact
    choices={sorts}
    value={value}
    onValue={(chosen) => onValue(chosen === "score" ? chosen : undefined)}
  />
)

export const ScoreCell = ({ score }: { readonly score: Score | null }) =>
  score === null ? (
    <span className="faint">–</span>
  ) : (
    <>
      <ScoreFeet score={score} />
      <WhyLine score={score} />
    </>
  )

/** What makes someone fit, by the code of the reason. */
const fits: ReadonlyMap<string, string> = new Map([
  ["seniority", "Fits by seniority"],
  ["department", "Fits by department"],
  ["industry", "Fits by industry"],
  ["country", "Fits by country"],
  ["company_size", "Fits by company size"],
])

/** A reason in a few words. The page of a person or a company has all of it. */
export const whyText = (top: TopScoreReason): string => {
  const short = top.part === "fit" ? fits.get(top.code) : undefined
  if (short !== undefined) return short
  const text = scoreReasonText(top)
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Why, in a line: the reason that adds most to the score. Nothing without one. */
const WhyLine = ({ score: { top } }: { readonly score: Score }) => {
  if (top === null) return null
  return (
    <p className="cut soft small" title={`Adds most to the score: ${scoreReasonText(top)}`}>
      {whyText(top)}
    </p>
  )
}

interface ExplanationProps {
  readonly queryKey: ReadonlyArray<string>
  readonly ask: (signal: AbortSignal) => PromiseLike<ExplainedScore>
}

/** Nothing for someone without a score: computed within a minute of a visit, and never for anyone suppressed. */
export const ScoreExplanation = ({ ask, queryKey }: ExplanationProps) => {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, "score"],
    queryFn: async ({ signal }) => {
      try {
        return await ask(signal)
      } catch (failed) {
        if (failed instanceof NotFoundError) return null
        throw failed
      }
    },
  })
  if (data === null || (data === undefined && error === null)) return null
  return (
    <section className="score-box" aria-label="Score">
      <h2 className="hidden">Score {data?.total}</h2>
      {data !== undefined && (
        <>
          <div className={`score-head score ${toneOf(data)}`}>
            <Feet score={data} size={68} />
            <p>
              <b>{data.total}</b>
              <span>
                {data.hot && "hot"}
                {changeOf(data)}
              </span>
            </p>
          </div>
          <div className="score-reasons">
            <Why title="Fit" value={data.fit} entries={data.entries.filter(isPart("fit"))} />
            <Why
              title="Interest"
              value={data.interest}
              entries={data.entries.filter(isPart("interest"))}
            />
            <p className="faint small">
              {data.entries.length === 0 && "Nothing has counted yet. "}
              Counted <Time at={data.computedAt} />
            </p>
          </div>
        </>
      )}
      <Problem error={error} onRetry={() => void refetch()} />
    </section>
  )
}

type Entry = ExplainedScore["entries"][number]

const isPart =
  (part: Entry["part"]) =>
  (entry: Entry): boolean =>
    entry.part === part

interface WhyProps {
  readonly title: string
  readonly value: number
  readonly entries: ReadonlyArray<Entry>
}

/** One foot: its value, and what filled it. */
const Why = ({ entries, title, value }: WhyProps) => (
  <div className="why">
    <h3>
      {title} <b>{value}</b>
    </h3>
    <ul>
      {entries.map(({ name, part, points, reason }) => (
        <li key={`${part} ${name} ${points}`}>
          <span className="break">
            {name}
            {!saysTheSame(name, reason) && (
              <span className="faint"> {scoreReasonText(reason)}</span>
            )}
          </span>
          <b>
            {points > 0 ? "+" : "−"}
            {Math.abs(points)}
          </b>
        </li>
      ))}
    </ul>
  </div>
)

/** Whether a reason would only repeat the name of its entry. */
const saysTheSame = (name: string, reason: ExplainedScore["entries"][number]["reason"]): boolean =>
  reason.code === "rule" || scoreReasonText(reason).toLowerCase() === name.toLowerCase()

/** Since the beginning of the day, or else of the week. */
const changeOf = ({ hot, previous: { dayAgo, monday }, total }: ExplainedScore): string => {
  const [before, since] =
    dayAgo !== null && dayAgo !== total ? [dayAgo, "since yesterday"] : [monday, "since Monday"]
  if (before === null || before === total) return ""
  return `${hot ? ", " : ""}${total > before ? "+" : "−"}${Math.abs(total - before)} ${since}`
}
