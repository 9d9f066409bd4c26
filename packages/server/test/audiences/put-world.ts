// Writes a world to the tables, replacing the previous one.
import { randomUUID } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sharedOrganizationId } from "../../src/access/organization.ts"
import { Tombstones } from "../../src/people/person/tombstones/tombstones.ts"
import { moveSignals } from "../support/clickhouse.ts"
import { segments } from "./segments.ts"
import type { Owner, World } from "./world.ts"

export type Organizations = Readonly<Record<Owner, string>>

const tables = [
  "person",
  "person_address",
  "visitor",
  "visitor_address",
  "signal",
  "signal_date",
  "signal_gone",
  "signal_person",
  "signal_alias",
  "signal_alias_map",
  "suppression_rule",
  "suppression_list",
  "tombstone",
]

export const putWorld = Effect.fnUntraced(function* (world: World) {
  const sql = yield* SqlClient.SqlClient
  const organizations: Organizations = {
    ours: randomUUID(),
    theirs: randomUUID(),
    shared: sharedOrganizationId,
  }
  yield* sql`truncate ${sql.csv(tables.map((name) => sql`${sql(name)}`))} cascade`
  for (const id of [organizations.ours, organizations.theirs]) {
    yield* sql`insert into organization (id, name, slug) values (${id}::uuid, 'Tidewater', ${id})`
    yield* sql`
      insert into suppression_list (organization_id, cycle_at, changed_at)
      values (${id}::uuid, '2026-03-11T00:00:00Z', '2026-03-11T00:00:00Z')`
  }
  const rowsOf = (table: string, rows: ReadonlyArray<object>) => {
    const columns = Object.keys(rows[0] ?? {})
    if (columns.length === 0) return Effect.void
    const names = sql.csv(columns.map((name) => sql`${sql(name)}`))
    return sql`
      insert into ${sql(table)} (${names})
      select ${names}
      from jsonb_populate_recordset(
        null::${sql.literal(table)}, ${JSON.stringify(rows)}::text::jsonb
      )`
  }
  yield* rowsOf(
    "segment",
    segments.map(({ id, rule }) => ({
      organization_id: organizations.ours,
      id,
      name: "Segment",
      rule_ast: { version: 1, window: "all", rule },
      created_at: "2026-03-01T00:00:00Z",
      updated_at: "2026-03-01T00:00:00Z",
    })),
  )
  const owned = <Record extends { readonly owner: Owner }>({ owner, ...record }: Record) => ({
    organization_id: organizations[owner],
    ...record,
  })

  yield* rowsOf(
    "person",
    world.people.map((one) => {
      const { hash, ...record } = owned(one)
      return { ...record, email_hash: hash }
    }),
  )
  yield* rowsOf(
    "person_address",
    world.leads.map(({ from, owner, to }) => ({
      organization_id: organizations[owner],
      email_hash: from,
      person_hash: to,
      is_link: true,
    })),
  )
  const visitors = world.visitors.map((one) => ({ ...owned(one), id: randomUUID() }))
  const at = "2026-03-01T00:00:00Z"
  yield* rowsOf(
    "visitor",
    visitors.map(({ addresses, heldBack, ...record }) => ({
      ...record,
      email: addresses[0]!.email,
      email_hash: addresses[0]!.hash,
      email_domain: addresses[0]!.email.split("@")[1]!.replace(/^www\./, ""),
      held_back: heldBack,
      suppressed: false,
      first_seen_at: at,
      last_seen_at: at,
      created_at: at,
      updated_at: at,
      traits: {},
      vendor: {},
      resolved: {},
    })),
  )
  yield* rowsOf(
    "visitor_address",
    visitors.flatMap(({ addresses, id, organization_id }) =>
      addresses.map(({ email, hash, kind }) => ({
        organization_id,
        email_hash: hash,
        visitor_id: id,
        email,
        kind,
        first_seen_at: at,
      })),
    ),
  )
  yield* putSignals(world, organizations)
  yield* moveSignals
  yield* rowsOf(
    "suppression_rule",
    world.rules.map(({ key, owner, state, type }) => ({
      organization_id: organizations[owner],
      id: randomUUID(),
      type,
      value: key,
      match_key: key,
      created_at: at,
      takes_part_at: state === "not yet" ? "2026-03-11T00:00:00Z" : at,
      removed_at:
        state === "being removed"
          ? "2026-03-11T00:00:00Z"
          : state === "removed"
            ? "2026-03-10T23:59:00Z"
            : null,
    })),
  )
  const { leave } = yield* Tombstones
  yield* leave(world.erased.map((emailHash) => ({ organizationId: organizations.ours, emailHash })))
  return organizations
})

const putSignals = Effect.fnUntraced(function* (world: World, organizations: Organizations) {
  const sql = yield* SqlClient.SqlClient
  const rows = JSON.stringify(
    world.signals.map(({ owner, ...signal }) => ({ ...signal, owner: organizations[owner] })),
  )
  const said = sql`
    jsonb_to_recordset(${rows}::text::jsonb) as said (
      owner uuid, origin text, date date, "topicId" integer, hash text, score smallint
    )`
  // Numbers are assigned in an arbitrary order, which nothing may depend on.
  yield* sql`
    insert into signal_person (email_hash, organization_ids)
    select decode(hash, 'hex'), '{}' from (select distinct hash from ${said}) as one order by md5(hash)`
  yield* sql`
    insert into signal (organization_id, origin, date, topic_id, score, people)
    select owner, origin, date, "topicId", score, array_agg(numbers.id order by numbers.id)
    from ${said}
    join signal_person as numbers on numbers.email_hash = decode(hash, 'hex')
    group by owner, origin, date, "topicId", score`
  yield* sql`
    insert into signal_date (organization_id, origin, date, signals)
    select owner, origin, date, count(*) from ${said} group by owner, origin, date`
})
