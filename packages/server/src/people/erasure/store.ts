// SQL that erases a person from the database (spec 5.1). The statements run one after another in one transaction that
// holds the organization's turn: no pass or import writes meanwhile, and whatever they read earlier is gone from the
// tables they read again. In a browser that others use too, the person's share becomes no one's; rows of other people
// are untouched.
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { organizationTurns } from "../../platform/database/organization-turns.ts"
import { transaction } from "../../platform/database/transaction.ts"
import type { SessionSpan } from "../archive/session-events.ts"
import { laterDays } from "../archive/store.ts"
import type { ErasedPerson, KnownAddress } from "./later-erasure.ts"
import { type KeptKind, type KeptRow, keptRows } from "./kept-store.ts"
import type { KindCount } from "./receipt.ts"

type Result<A> = Effect.Effect<A, SqlError.SqlError>

/** A person with many events takes longer than a request usually may. */
const statementTimeoutMs = 60_000
const lockTimeoutMs = 30_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const begin = Effect.asVoid(sql`
    select
      set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
      set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`)

  /** Whether the organization knows an address other than by a visit. */
  const isKnown = (organizationId: string, emailHash: string) =>
    sql<{ readonly isKnown: boolean }>`
      select (
        exists (
          select from person
          where organization_id = ${organizationId} and email_hash = ${emailHash}
        ) or exists (
          select from person_address
          where organization_id = ${organizationId}
            and (email_hash = ${emailHash} or person_hash = ${emailHash})
        ) or exists (
          select from identity_link
          where organization_id = ${organizationId} and email_hash = ${emailHash}
        ) or exists (
          select from browser
          where organization_id = ${organizationId} and linked_hash = ${emailHash}
        ) or exists (
          select from event_inbox
          where organization_id = ${organizationId} and payload ->> 'h' = ${emailHash}
        ) or exists (
          select from event_inbox
          where organization_id = ${organizationId} and address_hash(payload ->> 'e') = ${emailHash}
        )
      ) as "isKnown"`.pipe(Effect.map(([row]) => row?.isKnown === true))

  const isSuppressed = (organizationId: string, emailHash: string) =>
    sql<{ readonly isSuppressed: boolean }>`
      select exists (
        select from suppression_rule
        where organization_id = ${organizationId} and type = 'email' and removed_at is null
          and encode(sha256(convert_to(value, 'UTF8')), 'hex') = ${emailHash}
      ) as "isSuppressed"`.pipe(Effect.map(([row]) => row?.isSuppressed === true))

  const find = (organizationId: string, emailHash: string) =>
    sql<{ readonly visitorId: string }>`
      select visitor_id as "visitorId" from visitor_address
      where organization_id = ${organizationId} and email_hash = ${emailHash}`.pipe(
      Effect.map(([row]) => row?.visitorId),
    )

  const addresses = (organizationId: string, visitorId: string) =>
    sql<KnownAddress>`
      select email_hash as "emailHash", email from visitor_address
      where organization_id = ${organizationId} and visitor_id = ${visitorId}
      order by email_hash`

  const texts = (all: ReadonlyArray<string>) =>
    sql`array(select jsonb_array_elements_text(${JSON.stringify(all)}::text::jsonb))`

  const hashesOf = ({ addresses }: ErasedPerson) =>
    texts(addresses.map(({ emailHash }) => emailHash))

  /** A person is identified in their sessions, so these lead to every browser they ever had. */
  const browsersOf = ({ organizationId, visitorId }: ErasedPerson) => sql`(
    select b.anonymous_id, b.identifications
    from browser b
    where b.organization_id = ${organizationId}
      and b.anonymous_id in (
        select anonymous_id from browser
        where organization_id = ${organizationId} and visitor_id = ${visitorId}
        union
        select anonymous_id from session
        where organization_id = ${organizationId} and visitor_id = ${visitorId}
      ))`

  /** The ids in events of these browsers: their own, and those an alias joined to them. */
  const idsOf = (person: ErasedPerson) => sql`(
    select anonymous_id, identifications from ${browsersOf(person)} as own
    union all
    select j.joined_id, own.identifications
    from ${browsersOf(person)} as own
    join browser_join j
      on j.organization_id = ${person.organizationId} and j.anonymous_id = own.anonymous_id)`

  /** Whether an event of table `e` happened while the person had browser `b`. */
  const isOfTenure = ({ visitorId }: ErasedPerson, event = "e") => sql`(
    select one ->> 1
    from jsonb_array_elements(b.identifications) with ordinality as all_of (one, place)
    cross join lateral (
      select (one ->> 0)::numeric
        > round(extract(epoch from ${sql(event)}.occurred_at) * 1000) as is_later
    ) as moment
    order by is_later, case when is_later then place else -place end
    limit 1
  ) = ${visitorId}`

  /** Whether an event of table `e` names the person. */
  const namesPerson = (person: ErasedPerson, event: string) => sql`(
    ${sql(event)}.payload ->> 'h' = any (${hashesOf(person)})
    or encode(sha256(convert_to(${sql(event)}.payload ->> 'e', 'UTF8')), 'hex')
      = any (${hashesOf(person)}))`

  /** Whether an event without a session is the person's. */
  const setAside = (person: ErasedPerson, event: string) => sql`(
        ${namesPerson(person, event)}
        or exists (
          select from ${idsOf(person)} as b
          where b.anonymous_id = ${sql(event)}.anonymous_id and ${isOfTenure(person, event)}
        )
      )`

  /** Each part has its own index (migration 0042), because very many events may be waiting. */
  const waiting = (person: ErasedPerson) => sql`
      select sequence from event_inbox
      where organization_id = ${person.organizationId}
        and payload ->> 'h' = any (${hashesOf(person)})
      union all
      select sequence from event_inbox
      where organization_id = ${person.organizationId}
        and address_hash(payload ->> 'e') = any (${hashesOf(person)})
      union all
      select e.sequence from ${idsOf(person)} as b
      join event_inbox e
        on e.organization_id = ${person.organizationId} and e.anonymous_id = b.anonymous_id
      where ${isOfTenure(person)}`

  const eraseWaiting = (person: ErasedPerson) => sql`
    delete from event_inbox where sequence in (${waiting(person)})`

  const eraseEvents = (person: ErasedPerson) => sql`
    delete from event e
    where e.organization_id = ${person.organizationId}
      and e.session_id in (
        select id from session
        where organization_id = ${person.organizationId} and visitor_id = ${person.visitorId}
      )`

  /**
   * Those that are in ClickHouse or about to be: a worker deletes them there (archive/). After `eraseEvents`, see
   * `next` in archive/store.ts.
   */
  const eraseArchived = ({ organizationId, visitorId }: ErasedPerson) => sql`
    insert into event_gone (organization_id, session_id)
    select session.organization_id, session.id
    from session
    join event_archive on session.started_at < event_archive.until + ${laterDays}::int
    where session.organization_id = ${organizationId} and session.visitor_id = ${visitorId}
    on conflict do nothing`

  /** Events that a pass could not process have a browser but no session. */
  const eraseSetAside = (person: ErasedPerson) => sql`
    delete from event e
    where e.organization_id = ${person.organizationId}
      and e.session_id is null
      and e.anonymous_id is not null
      and ${setAside(person, "e")}`

  const giveUpBrowsers = (person: ErasedPerson) => sql`
    with given_up as (
      select b.anonymous_id, jsonb_agg(
        case when one ->> 1 = ${person.visitorId}
          then jsonb_build_array(one -> 0, null) else one end
        order by place
      ) as identifications, bool_and(coalesce(one ->> 1 = ${person.visitorId}, true)) as is_nobodys
      from ${browsersOf(person)} as b
      cross join lateral jsonb_array_elements(b.identifications)
        with ordinality as all_of (one, place)
      group by b.anonymous_id
    ), forgotten as (
      delete from browser b
      using given_up g
      where b.organization_id = ${person.organizationId}
        and b.anonymous_id = g.anonymous_id
        and g.is_nobodys
    ), unclaimed as (
      delete from user_id_claim c
      using given_up g
      where c.organization_id = ${person.organizationId}
        and c.anonymous_id = g.anonymous_id
    ), unjoined as (
      delete from browser_join j
      using given_up g
      where j.organization_id = ${person.organizationId}
        and j.anonymous_id = g.anonymous_id
        and g.is_nobodys
    )
    update browser b set
      identifications = g.identifications,
      visitor_id = nullif(b.visitor_id, ${person.visitorId}::uuid),
      linked_hash = case when b.linked_hash <> all (${hashesOf(person)}) then b.linked_hash end
    from given_up g
    where b.organization_id = ${person.organizationId}
      and b.anonymous_id = g.anonymous_id
      and not g.is_nobodys`

  /**
   * Where the person's user ids were used. Before `giveUpBrowsers` and `eraseImports`, which delete what leads to them. An
   * id that was found to be shared by strangers is no one's. One that is not yet starts to be counted again.
   */
  const forgetUserIds = (person: ErasedPerson) => sql`
    delete from user_id_use u
    using (
      select case when value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then value::uuid end as id
      from identity_link
      where organization_id = ${person.organizationId} and kind = 'anonymous_id'
        and email_hash = any (${hashesOf(person)})
      union
      select anonymous_id from ${idsOf(person)} as own
      union
      select c.user_id from ${browsersOf(person)} as own
      join user_id_claim c
        on c.organization_id = ${person.organizationId} and c.anonymous_id = own.anonymous_id
    ) as theirs
    where u.organization_id = ${person.organizationId} and u.user_id = theirs.id
      and u.shared_at is null`

  const eraseVisitor = Effect.fnUntraced(function* ({ organizationId, visitorId }: ErasedPerson) {
    for (const table of [
      "session",
      "visitor_pixel",
      "visitor_address",
      "credit",
      "suppression_mark",
    ]) {
      yield* sql`
        delete from ${sql(table)}
        where organization_id = ${organizationId} and visitor_id = ${visitorId}`
    }
    yield* sql`
      delete from visitor where organization_id = ${organizationId} and id = ${visitorId}`
  })

  const eraseImports = Effect.fnUntraced(function* (person: ErasedPerson) {
    const { organizationId } = person
    const hashes = hashesOf(person)
    const digests = sql`array(select decode(hash, 'hex') from unnest(${hashes}) as hash)`
    const isTheirs = sql`sha256(convert_to(email, 'UTF8')) = any (${digests})`
    yield* sql`
      delete from person
      where organization_id = ${organizationId} and email_hash = any (${hashes})`
    // Someone else's record may contain an address that a link has led away from it. The index finds it as long as the
    // condition matches migration 0040 and names no organization; then no statistics can change the plan.
    yield* sql`select set_config('enable_seqscan', 'off', true)`
    yield* sql`
      update person p set
        emails = array(
          select email
          from unnest(p.emails) with ordinality as e (email, place)
          where not ${isTheirs}
          order by place
        ),
        business_email = (
          select email from (values (p.business_email)) as e (email) where not ${isTheirs}
        ),
        personal_email = (
          select email from (values (p.personal_email)) as e (email) where not ${isTheirs}
        )
      where p.ctid = any (array(
          select found.ctid
          from (
            select ctid, organization_id from person
            where other_addresses(email, emails, business_email, personal_email) && ${digests}
              and (
                email is null or emails <> '{}' and emails <> array[email]
                or business_email <> email or personal_email <> email
              )
            offset 0
          ) as found
          where found.organization_id = ${organizationId}
        ))`
    yield* sql`select set_config('enable_seqscan', 'on', true)`
    yield* sql`
      delete from person_address
      where organization_id = ${organizationId}
        and (email_hash = any (${hashes}) or person_hash = any (${hashes}))`
    for (const table of ["identity_link", "spelling_join"]) {
      yield* sql`
        delete from ${sql(table)}
        where organization_id = ${organizationId} and email_hash = any (${hashes})`
    }
  })

  /** Everything that `erase` deletes or clears, by kind. */
  const kept = (person: ErasedPerson): ReadonlyArray<KeptKind> => {
    const { organizationId, visitorId } = person
    const hashes = hashesOf(person)
    const of = (kind: string, table: string, condition: Statement.Fragment): KeptKind => ({
      kind,
      rows: keptRows(sql, table, sql`t.organization_id = ${organizationId} and ${condition}`),
    })
    const eventRows = (condition: Statement.Fragment) =>
      keptRows(sql, "event", sql`t.organization_id = ${organizationId} and ${condition}`)
    const ofVisitor = (kind: string, table: string) =>
      of(kind, table, sql`t.visitor_id = ${visitorId}`)
    const ofAddresses = (kind: string, table: string, column = "email_hash") =>
      of(kind, table, sql`t.${sql(column)} = any (${hashes})`)
    const ofBrowsers = (kind: string, table: string) =>
      of(
        kind,
        table,
        sql`t.anonymous_id in (select own.anonymous_id from ${browsersOf(person)} as own)`,
      )
    return [
      of("profile", "visitor", sql`t.id = ${visitorId}`),
      ofVisitor("addresses", "visitor_address"),
      ofVisitor("sites", "visitor_pixel"),
      ofVisitor("scores", "visitor_score"),
      ofVisitor("sessions", "session"),
      // Each part has its own index. With one condition for both, Postgres would read every event of the organization.
      {
        kind: "events",
        rows: sql`${eventRows(sql`t.session_id in (
            select id from session
            where organization_id = ${organizationId} and visitor_id = ${visitorId}
          )`)}
          union all
          ${eventRows(sql`t.session_id is null and t.anonymous_id is not null
            and ${setAside(person, "t")}`)}`,
      },
      of("waiting_events", "event_inbox", sql`t.sequence in (${waiting(person)})`),
      // Others may have used the browser too: what it says of them stays out.
      {
        kind: "browsers",
        rows: sql`
          select jsonb_build_object('anonymous_id', b.anonymous_id) as row
          from browser b
          where b.organization_id = ${organizationId} and b.anonymous_id in (
            select own.anonymous_id from ${browsersOf(person)} as own)`,
      },
      ofBrowsers("browser_joins", "browser_join"),
      ofBrowsers("user_ids", "user_id_claim"),
      ofAddresses("links", "identity_link"),
      ofAddresses("imported", "person"),
      // Whose record has the address: it may be someone else's.
      {
        kind: "imported_addresses",
        rows: sql`
          select to_jsonb(t) - 'person_hash' as row
          from person_address t
          where t.organization_id = ${organizationId} and t.email_hash = any (${hashes})`,
      },
      ofVisitor("credits", "credit"),
      ofVisitor("suppression", "suppression_mark"),
      ofAddresses("lists", "list_member", "key"),
      ofAddresses("undone_imports", "import_removal", "match_key"),
      ofVisitor("owner", "visitor_owner"),
      ofVisitor("tags", "visitor_tag"),
      ofVisitor("notes", "visitor_note"),
      ofVisitor("topics", "visitor_topic"),
      of("segments", "segment_member", sql`t.subject = ${visitorId}`),
      ofVisitor("webhook_people", "webhook_visitor"),
      ofVisitor("webhooks", "webhook_delivery"),
    ]
  }

  const count = (kinds: ReadonlyArray<KeptKind>) =>
    Effect.forEach(kinds, ({ kind, rows }) =>
      Effect.map(
        sql<{ readonly count: number }>`select count(*)::int as count from (${rows}) as kept`,
        ([row]): KindCount => ({ kind, count: row!.count }),
      ),
    )

  const open = ({ rows }: KeptKind): Result<void> =>
    Effect.asVoid(
      sql`
        declare kept_row no scroll cursor for
        select row - 'organization_id' as row from (${rows}) as kept`.unprepared,
    )

  const next = (limit: number): Result<ReadonlyArray<KeptRow>> =>
    sql<KeptRow>`fetch forward ${sql.literal(String(limit))} from kept_row`.unprepared

  const close: Result<void> = Effect.asVoid(sql`close kept_row`.unprepared)

  /** The person's sessions whose events may be in ClickHouse. */
  const archivedSessions = ({ organizationId, visitorId }: ErasedPerson) => sql<SessionSpan>`
    select session.organization_id as "organizationId", session.id as "sessionId",
      to_char((session.started_at at time zone 'utc')::date - 1, 'YYYY-MM-DD') as "receivedFrom"
    from session
    join event_archive on session.started_at < event_archive.until + ${laterDays}::int
    where session.organization_id = ${organizationId} and session.visitor_id = ${visitorId}
    order by session.started_at, session.id`

  /** The transaction reads the state of one moment, and may take long. Cursors are read to their end. */
  const beginReading = Effect.gen(function* () {
    yield* sql`set transaction isolation level repeatable read`
    yield* sql`
      select
        set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
        set_config('cursor_tuple_fraction', '1', true)`
  })

  const erase = Effect.fnUntraced(function* (person: ErasedPerson) {
    yield* eraseWaiting(person)
    yield* eraseEvents(person)
    yield* eraseArchived(person)
    yield* eraseSetAside(person)
    yield* forgetUserIds(person)
    yield* giveUpBrowsers(person)
    yield* eraseVisitor(person)
    yield* eraseImports(person)
  })

  return ErasureStore.of({
    transaction: (effect) => Effect.provideService(transaction(effect), SqlClient.SqlClient, sql),
    begin,
    waitForTurn: organizationTurns(sql).wait,
    find,
    isKnown,
    isSuppressed,
    addresses,
    kept,
    count,
    open,
    next,
    close,
    beginReading,
    archivedSessions,
    erase,
  })
})

export class ErasureStore extends Context.Service<
  ErasureStore,
  {
    /** Runs the effect in one transaction. */
    transaction<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R>
    /** Sets the transaction's limits. */
    readonly begin: Result<void>
    /** Waits for the organization's turn, held until the transaction ends. */
    waitForTurn(organizationId: string): Result<void>
    /** The visitor with an address, held back or not. */
    find(organizationId: string, emailHash: string): Result<string | undefined>
    /** Whether an import, a link or a waiting event names the address. */
    isKnown(organizationId: string, emailHash: string): Result<boolean>
    /** Whether the suppression list names the address. */
    isSuppressed(organizationId: string, emailHash: string): Result<boolean>
    addresses(organizationId: string, visitorId: string): Result<ReadonlyArray<KnownAddress>>
    /** Everything that `erase` deletes, by kind. Its events are those in Postgres. */
    kept(person: ErasedPerson): ReadonlyArray<KeptKind>
    /** How many rows each kind has. */
    count(kinds: ReadonlyArray<KeptKind>): Result<ReadonlyArray<KindCount>>
    /** Begins a transaction that only reads, at one moment. */
    readonly beginReading: Result<void>
    /** Begins to read the rows of a kind, each once. One kind is read at a time. */
    open(kind: KeptKind): Result<void>
    /** Its next rows, in no order; fewer than `limit` at the end. */
    next(limit: number): Result<ReadonlyArray<KeptRow>>
    readonly close: Result<void>
    /** The person's sessions whose events may be in ClickHouse, oldest first. */
    archivedSessions(person: ErasedPerson): Result<ReadonlyArray<SessionSpan>>
    /**
     * Deletes everything of the person in the organization: profile, addresses, sessions, events (waiting ones too),
     * browsers, credit, imported record and links.
     */
    erase(person: ErasedPerson): Result<void>
  }
>()("@footfall/server/identification/ErasureStore") {
  static readonly layer = Layer.effect(ErasureStore, make)
}
