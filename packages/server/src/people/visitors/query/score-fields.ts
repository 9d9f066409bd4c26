// Scores in rules: those that were computed last, as lists show them (spec 2.23, 3.3). Whoever has none, or is suppressed,
// is as if the value were missing.
import { SqlText } from "../../../platform/database/sql-text.ts"
import type { FieldOf } from "./predicate.ts"

export type ScoreField = Extract<FieldOf<"number">, `score.${string}`>
export const isScore = (field: FieldOf<"number">): field is ScoreField => field.startsWith("score.")

/** Of the row `score`, whose rank is the total, or -1 for none. */
export const shownScore = (field: ScoreField): SqlText => SqlText.of(columns[field])

const columns: Readonly<Record<ScoreField, string>> = {
  "score.total": "nullif(score.rank, -1)",
  "score.fit": "case when score.rank >= 0 then score.fit end",
  "score.interest": "case when score.rank >= 0 then score.interest end",
}
