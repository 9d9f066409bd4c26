// The contacts of one batch as they are when it is read.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { fragmentOf } from "../../database/sql-text.ts"
import type { ResultDbRow } from "../../runs/results/result-row.ts"
import { type ChangeLetter, changeOf } from "../planning/plan.ts"
import type { PlannedContact } from "../sending/planned-contact.ts"
import { batchContacts, type BatchQuestion, suppressedPlaces } from "./batch-contacts-store.ts"
import type { Persistence } from "./persistence-store.ts"

interface StoredContact extends ResultDbRow {
  readonly place: number
  readonly sequence: number
  readonly change: ChangeLetter
  readonly attempts: number
  readonly hasRules: boolean
}

export const readingContacts = (
  sql: SqlClient.SqlClient,
  { persistently }: Pick<Persistence, "persistently">,
) =>
  Effect.fnUntraced(function* (question: BatchQuestion) {
    const rows = yield* persistently(sql<StoredContact>`${fragmentOf(batchContacts(question))}`)
    const suppressed =
      rows[0]?.hasRules === true
        ? yield* persistently(
            sql<{ readonly place: number }>`${fragmentOf(suppressedPlaces(question))}`,
          )
        : []
    const places = new Set(suppressed.map(({ place }) => place))
    return rows.map((row) => contactOf(row, places))
  })

const contactOf = (row: StoredContact, suppressed: ReadonlySet<number>): PlannedContact => ({
  place: row.place,
  sequence: row.sequence,
  change: changeOf[row.change],
  attempts: row.attempts,
  // Without a result there is none of its columns.
  row: (row.position as number | null) === null ? undefined : row,
  isSuppressed: suppressed.has(row.place),
})
