// A score with its reasons, for people to read.

import { scoreReasonText } from "@footfall/normal-form/score-reason"
import type { ExplainedScore } from "@footfall/sdk"
import { factsText } from "../output/print-result.ts"
import { timeAgo } from "../ui/text.ts"

/** For example `68 · hot · 20 more than yesterday`, and then each entry with its points. */
export const explainedText = (score: ExplainedScore, now: Date) =>
  factsText([
    [
      "score",
      [String(score.total), score.hot ? "hot" : null, changeOf(score)].filter(isText).join(" · "),
    ],
    ["fit", String(score.fit)],
    ...entriesOf(score, "fit"),
    ["interest", String(score.interest)],
    ...entriesOf(score, "interest"),
    ["computed", timeAgo(score.computedAt, now)],
  ])

const isText = (text: string | null): text is string => text !== null

const entriesOf = ({ entries }: ExplainedScore, part: "fit" | "interest") =>
  entries
    .filter((entry) => entry.part === part)
    .map(
      ({ name, points, reason }) =>
        [
          `  ${points > 0 ? "+" : ""}${points}`,
          reason.code === "rule" ? name : `${name} (${scoreReasonText(reason)})`,
        ] as const,
    )

const changeOf = ({ previous: { dayAgo }, total }: ExplainedScore): string | null => {
  if (dayAgo === null || dayAgo === total) return null
  return `${Math.abs(total - dayAgo)} ${total > dayAgo ? "more" : "less"} than yesterday`
}
