// Suppresses people by address, or ends it, like a sync cycle that begins now: the rule takes effect, and everyone
// with the address is marked. As SQL statements, so that tests can run them on any database.
import { hashEmail } from "../../src/collect/visits/email-address.ts"

/** Statements in their order, each with its values. */
export const suppressionStatements = (options: {
  readonly organizationId: string
  readonly email: string
  readonly isSuppressed: boolean
}): ReadonlyArray<readonly [text: string, values: ReadonlyArray<string>]> => {
  const { email, isSuppressed, organizationId } = options
  const { sha256 } = hashEmail(email)
  return [
    [
      `insert into suppression_list (organization_id, cycle_at, changed_at, email)
       values ($1, now(), now() - interval '1 day', 1)
       on conflict (organization_id) do update set cycle_at = excluded.cycle_at`,
      [organizationId],
    ],
    [
      "delete from suppression_rule where organization_id = $1 and match_key = $2",
      [organizationId, sha256],
    ],
    ...(isSuppressed
      ? ([
          [
            `insert into suppression_rule
               (organization_id, type, value, match_key, created_at, takes_part_at)
             values ($1, 'email', $2, $3, now() - interval '1 hour', now() - interval '1 hour')`,
            [organizationId, email, sha256],
          ],
        ] as const)
      : []),
    [
      `update visitor set suppressed = $3::text::boolean
       from visitor_address as a
       where a.organization_id = $1 and a.email_hash = $2
         and visitor.organization_id = a.organization_id and visitor.id = a.visitor_id`,
      [organizationId, sha256, String(isSuppressed)],
    ],
  ]
}
