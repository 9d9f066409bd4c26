// SQL that finds a person or a company.
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { FoundSubject, Subject } from "./subject.ts"

export const subjects = (sql: SqlClient.SqlClient) => {
  const rows = (organizationId: string, subject: Subject, lock: "" | "for key share") =>
    subject.kind === "people"
      ? sql<{ readonly id: string }>`
          select visitor.id
          from visitor_address as address
          join visitor on visitor.organization_id = address.organization_id
            and visitor.id = address.visitor_id and not visitor.held_back
          where address.organization_id = ${organizationId}
            and address.email_hash = ${subject.emailHash}
          ${sql.literal(lock === "" ? "" : `${lock} of visitor`)}`
      : sql<{ readonly id: string }>`
          select domain as id from company
          where organization_id = ${organizationId} and domain = ${subject.domain}
          ${sql.literal(lock)}`

  const found = (organizationId: string, subject: Subject, lock: "" | "for key share") =>
    rows(organizationId, subject, lock).pipe(
      Effect.map(([row]): FoundSubject | undefined =>
        row === undefined ? undefined : { organizationId, kind: subject.kind, id: row.id },
      ),
      Effect.orDie,
    )

  return {
    find: (organizationId: string, subject: Subject) => found(organizationId, subject, ""),

    /**
     * Keeps it from being deleted or merged until the transaction ends. After waiting for a merge, the address belongs to
     * another visitor, so it is looked up again.
     */
    keep: (organizationId: string, subject: Subject) =>
      Effect.flatMap(found(organizationId, subject, "for key share"), (first) =>
        first === undefined
          ? found(organizationId, subject, "for key share")
          : Effect.succeed(first),
      ),
  }
}
