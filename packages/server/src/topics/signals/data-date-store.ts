// The data date of an organization, in SQL (spec 2.11): one expression, so that what is asked of one
// organization and of all of them at once never differs.
import type { SqlClient, Statement } from "effect/sql"
import { sharedOrganizationId } from "../../access/organization.ts"

/** Imported signals older than this give way to those of pixels. */
const importedDaysMax = 30

/** Null without any signals. `organizationId`: a value or a column. */
export const dataDateOf = (sql: SqlClient.SqlClient, organizationId: Statement.Fragment) => sql`(
  select coalesce(
    max(day.date) filter (
      where day.origin = 'import' and day.date >= current_date - ${importedDaysMax}::int
    ),
    max(day.date) filter (where day.origin = 'pixel')
  )
  from signal_date as day
  where day.organization_id in (${organizationId}, ${sharedOrganizationId}::uuid)
)`
