// A score with its reasons, for people to read.

import { scoreReasonText } from "@footfall/normal-form/score-reason"
import type { ExplainedScore, Score } from "@footfall/sdk"
import { factsText } from "../output/print-result.ts"
import { timeAgo } from "../ui/text.ts"

/** For example `68 · hot · 20 more than yesterday`, and then each entry with its points. */
export const explainedText = (score: ExplainedScore, now: Date) =>
  factsText([
    ["score", [scoreText(score), changeOf(score)].filter(isText).join(" · ")],
    ["fit", String(score.fit)],
    ...entriesOf(score, "fit"),
    ["interest", String(score.interest)],
    ...entriesOf(score, "interest"),
    ["computed", timeAgo(score.computedAt, now)],
  ])

/** For example `68 · hot`; null without a score. */
export const scoreText = (score: Pick<Score, "total" | "hot"> | null): string | null =>
  score && (score.hot ? `${score.total} · hot` : `${score.total}`)

const isText = (text: string | null): text is string => text !== null

const entriesOf = ({ entries }: ExplainedScore, part: "fit" | "interest") =>
  entries
    .filter((entry) => entry.part === part)
    .map(
      ({ name, points, reason }) =>
        [
          `  ${points > 0 ? "+" : ""}${points}`,
          withReason(name, reason.code === "rule" ? name : scoreReasonText(reason)),
        ] as const,
    )

/** A reason that says the same as the name is left out. */
const withReason = (name: string, reason: string): string =>
  name.toLowerCase() === reason.toLowerCase() ? name : `${name} (${reason})`

const changeOf = ({ previous: { dayAgo }, total }: ExplainedScore): string | null => {
  if (dayAgo === null || dayAgo === total) return null
  return `${Math.abs(total - dayAgo)} ${total > dayAgo ? "more" : "less"} than yesterday`
}
