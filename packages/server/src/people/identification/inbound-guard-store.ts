// Who must not come in from an inbound source (spec 15.3.8): whom a suppression rule names, whose visitor is suppressed,
// and who was erased.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type NamedRecord, RecordGuard } from "../../collect/inbound/record-guard.ts"
import { Tombstones } from "../person/tombstones/tombstones.ts"

export const InboundGuard = Layer.effect(
  RecordGuard,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tombstones = yield* Tombstones

    /** A rule counts from the moment it is made: no cycle has to pass. */
    const suppressed = (organizationId: string, records: ReadonlyArray<NamedRecord>) =>
      sql<{ readonly place: number }>`
        select distinct key.place
        from json_to_recordset(${JSON.stringify(records.flatMap(keysOf))}::text::json)
          as key (place int, type text, value text)
        where exists (
          select from suppression_rule_key as rule
          where rule.organization_id = ${organizationId} and rule.type = key.type
            and rule.match_key = key.value and rule.removed_at is null
        ) or key.type = 'email' and exists (
          select from visitor_address as address
          join visitor on visitor.organization_id = address.organization_id
            and visitor.id = address.visitor_id
          where address.organization_id = ${organizationId} and address.email_hash = key.value
            and visitor.suppressed
        )`

    const erased = Effect.fnUntraced(function* (
      organizationId: string,
      emailHashes: ReadonlyArray<string>,
    ) {
      const keys = emailHashes.map((emailHash) => ({ organizationId, emailHash }))
      const gone = yield* tombstones.among(keys)
      return new Set(gone.map(({ emailHash }) => emailHash))
    })

    return RecordGuard.of({
      forbidden: Effect.fnUntraced(function* (organizationId, records) {
        const rules = yield* suppressed(organizationId, records)
        const gone = yield* erased(
          organizationId,
          records.flatMap(({ emailHashes }) => emailHashes),
        )
        const places = records.flatMap(({ emailHashes }, place) =>
          emailHashes.some((hash) => gone.has(hash)) ? [place] : [],
        )
        return new Set([...places, ...rules.map(({ place }) => place)])
      }),
    })
  }),
)

const keysOf = (record: NamedRecord, place: number) => [
  ...record.emailHashes.map((value) => ({ place, type: "email", value })),
  ...(record.emailDomain === null ? [] : [{ place, type: "domain", value: record.emailDomain }]),
  ...(record.companyDomain === null
    ? []
    : [{ place, type: "company_domain", value: record.companyDomain }]),
  ...(record.industry === null ? [] : [{ place, type: "industry", value: record.industry }]),
]
