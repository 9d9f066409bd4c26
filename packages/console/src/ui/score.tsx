// The score of a person or a company: its number in lists, and what it is made of.
import { scoreReasonText } from "@footfall/normal-form/score-reason"
import { type ExplainedScore, NotFoundError, type Score } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Badge } from "./badge.tsx"
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
    <span className="soft">–</span>
  ) : (
    <>
      {score.total} {score.hot && <Badge tone="good">hot</Badge>}
      <WhyLine score={score} />
    </>
  )

/** Why, in a line: the reason that adds most to the score. Nothing without one. */
const WhyLine = ({ score: { top } }: { readonly score: Score }) => {
  if (top === null) return null
  const text = scoreReasonText(top)
  return (
    <p className="cut soft small" title={`Adds most to the score: ${text}`}>
      {text}
      {top.params.at !== undefined && (
        <>
          {" · "}
          <Time at={top.params.at} />
        </>
      )}
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
    <section className="stack" aria-label="Score">
      <h2>
        Score{" "}
        {data !== undefined && (
          <>
            {data.total} {data.hot && <Badge tone="good">hot</Badge>}
          </>
        )}
      </h2>
      <Problem error={error} onRetry={() => void refetch()} />
      {data !== undefined && <Reasons score={data} />}
    </section>
  )
}

const Reasons = ({ score }: { readonly score: ExplainedScore }) => (
  <>
    <p className="soft small">
      Fit {score.fit}, interest {score.interest}
      {changeOf(score)} · <Time at={score.computedAt} />
    </p>
    {score.entries.length === 0 && <p className="soft">Nothing has counted yet.</p>}
    <ul className="lines">
      {score.entries.map(({ name, part, points, reason }) => (
        <li key={`${part} ${name} ${points}`} className="spread">
          <span className="break">
            {name} <span className="soft small">{part}</span>
            {!saysTheSame(name, reason) && <p className="soft small">{scoreReasonText(reason)}</p>}
          </span>
          <span>
            {points > 0 ? "+" : "−"}
            {Math.abs(points)}
          </span>
        </li>
      ))}
    </ul>
  </>
)

/** Whether a reason would only repeat the name of its entry. */
const saysTheSame = (name: string, reason: ExplainedScore["entries"][number]["reason"]): boolean =>
  reason.code === "rule" || scoreReasonText(reason).toLowerCase() === name.toLowerCase()

const changeOf = ({ previous: { dayAgo }, total }: ExplainedScore): string => {
  if (dayAgo === null || dayAgo === total) return ""
  return ` · ${Math.abs(total - dayAgo)} ${total > dayAgo ? "more" : "less"} than yesterday`
}
