// Every column that can hold a person, by its name and type, is either erased or excused here (spec 5.1). A new column that
// keeps a person's hash fails this test until an erasure deletes its rows, or it is excused by name.
import { randomUUID } from "node:crypto"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hashEmail } from "../../src/collect/visits/email-address.ts"
import { startServer, type TestServer } from "../support/server.ts"
import { findings } from "./dump.ts"
import { unzipped } from "./unzipped.ts"

const email = "nora.fairwater@quayside.example"
const emailHash = hashEmail(email).sha256
const visitorId = randomUUID()
const sessionId = randomUUID()
const anonymousId = randomUUID()
/** Events of sources have the user id where browsers have theirs. */
const userId = randomUUID()
const joinedId = randomUUID()

/** Written as SQL. */
const quoted = (text: string) => `'${text}'`
const hashText = quoted(emailHash)
const hashBytes = quoted(`\\x${emailHash}`)
const person = { visitor_id: quoted(visitorId) }
const identified = quoted(JSON.stringify([[Date.now(), visitorId]]))

/**
 * Tables whose rows of the person an erasure deletes or clears, with the columns that make a row the person's. The others
 * are filled with anything.
 */
const erased: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The trigger that keeps visitor_name takes its row away.
  visitor: {
    id: quoted(visitorId),
    first_name: "'Nora'",
    email: quoted(email),
    email_hash: hashText,
  },
  visitor_address: { ...person, email: quoted(email), email_hash: hashText },
  visitor_name: { ...person, name: quoted(email) },
  visitor_pixel: { ...person, email_hash: hashText },
  visitor_score: { ...person, email_hash: hashText },
  score_stale: person,
  visitor_number: person,
  visitor_topic: person,
  visitor_topic_stale: person,
  // Those of a person go with the visitor.
  visitor_owner: person,
  visitor_tag: { ...person, tag: quoted(email) },
  visitor_note: { ...person, text: quoted(email) },
  session: {
    ...person,
    id: quoted(sessionId),
    anonymous_id: quoted(anonymousId),
    channel: "'direct'",
    device_type: "'desktop'",
    page_urls: `array[${quoted(`https://a.example/?${email}`)}]`,
    page_times: "array[now()]",
    tracked: quoted(JSON.stringify({ "Signed up": [1, { email: [email] }] })),
  },
  event: { session_id: quoted(sessionId), anonymous_id: quoted(anonymousId), type: "'page'" },
  event_inbox: { payload: quoted(JSON.stringify({ h: emailHash })), type: "'page'" },
  browser: {
    ...person,
    anonymous_id: quoted(anonymousId),
    identifications: identified,
    linked_hash: hashText,
  },
  browser_join: { joined_id: quoted(joinedId), anonymous_id: quoted(anonymousId) },
  user_id_claim: { anonymous_id: quoted(anonymousId), user_id: quoted(userId) },
  user_id_use: {
    user_id: quoted(userId),
    browsers: "'[]'",
    addresses: "'[]'",
    text: quoted(email),
  },
  identity_link: {
    kind: "'anonymous_id'",
    value: quoted(userId),
    email_hash: hashText,
  },
  credit: person,
  suppression_mark: person,
  person: {
    email_hash: hashText,
    email: quoted(email),
    business_email: quoted(email),
    emails: `array[${quoted(email)}]`,
  },
  person_address: { email_hash: hashText, person_hash: hashText },
  spelling_join: { email_hash: hashText },
  list_member: { key: hashText, value: quoted(email) },
  import_removal: { type: "'email'", match_key: hashText, value: quoted(email) },
  inbound_record: {
    outcome: "'person'",
    address_hashes: `array[${hashText}]`,
    body: quoted("\\\\x00"),
  },
  signal_person: { email_hash: hashBytes, organization_ids: "array[$1::uuid]" },
  destination_contact: {
    hashed_email: hashBytes,
    remote_id: quoted(email),
    email: quoted(email),
    removed_status: "'pending'",
  },
  delivery_failure: { hashed_email: hashBytes },
  delivery_removal: { hashed_email: hashBytes, reason: "'left'" },
  webhook_visitor: person,
  webhook_question: {
    ...person,
    kind: "'import'",
    view: `jsonb_build_object('title', ${quoted(email)})`,
  },
  segment_member: { subject: quoted(visitorId) },
  segment_stale: { subject: quoted(visitorId) },
  webhook_digest_visitor: { ...person, event: "'visitor.identified'" },
  webhook_digest_page: { ...person, page: `jsonb_build_object('title', ${quoted(email)})` },
  webhook_delivery: {
    ...person,
    visitor_hash: hashText,
    payload: quoted(email),
    page: `jsonb_build_object('title', ${quoted(email)})`,
    response_snippet: quoted(email),
    mails: `jsonb_build_object('message', ${quoted(email)})`,
  },
}

/** Parents that a part joins. */
const parents = {
  destination_contact: "destination",
  delivery_failure: "delivery",
  delivery_removal: "delivery",
  list_member: "list",
  inbound_record: "inbound_request",
} as const

/** Tables whose rows an archive (spec 5.1.12) leaves out, and why. */
const notArchived: Readonly<Record<string, string>> = {
  visitor_name: "a copy of the profile's name, for searches",
  score_stale: "whom a worker looks at next",
  visitor_number: "a number for the person",
  visitor_topic_stale: "whom a worker looks at next",
  user_id_use: "an id that a site uses for several people",
  spelling_join: "which spellings of an address were joined",
  signal_person: "a number for the person; their signals are in the archive",
  segment_stale: "whom a worker looks at next",
  webhook_question: "what a worker asks next",
  webhook_digest_visitor: "what a digest that waits will tell",
  webhook_digest_page: "what a digest that waits will tell",
}

/** Tables that an erasure changes in ways that take more than a row to show, and the test that shows it. */
const shownElsewhere: Readonly<Record<string, string>> = {
  run_result: "runs/erasure-plan.test.ts",
  run_export: "runs/exports/erasure.test.ts",
  signal: "topics/signals-erasure.test.ts",
  signal_alias: "topics/signals-erasure.test.ts",
  signal_alias_map: "topics/signals-erasure.test.ts",
  signal_staged: "topics/signals-erasure.test.ts",
  signal_gone: "topics/clickhouse/remote-signals.test.ts",
}

const usersOfTheConsole = "people of the organization who sign in, not visitors"
const ofTheOrganization = "written by the organization about itself"
const countsOnly = "counts"

/** The other columns: why an erasure leaves those of a table, and their names. */
const excused: Readonly<
  Record<string, readonly [reason: string, ...columns: ReadonlyArray<string>]>
> = {
  api_key: [ofTheOrganization, "name", "digest", "scopes", "pixel_ids", "allowed_networks"],
  audience: [ofTheOrganization, "name", "config"],
  audit_entry: [
    "names a person by an id that leads nowhere after an erasure (spec 5.1)",
    "target_id",
  ],
  audience_run: [
    `${ofTheOrganization}, and ${countsOnly}`,
    "config",
    "config_hash",
    "topics",
    "tallies",
    "ready_email_export_id",
    "ready_email_error",
  ],
  connected_account: [ofTheOrganization, "account_name", "credentials"],
  destination: [
    ofTheOrganization,
    "name",
    "config",
    "approved_config_hash",
    "secret",
    "former_secret",
    "headers",
  ],
  organization: [ofTheOrganization, "name", "excluded_ips"],
  pixel: [ofTheOrganization, "name", "excluded_paths", "included_paths", "settings"],
  pixel_script: [ofTheOrganization, "hash"],
  list: [ofTheOrganization, "name", "subject"],
  inbound_source: [
    ofTheOrganization,
    "name",
    "mapping",
    "token_digest",
    "former_digest",
    "secret",
    "former_secret",
  ],
  score_config: [ofTheOrganization, "config"],
  score_state: [ofTheOrganization, "too_slow"],
  segment: [ofTheOrganization, "name", "subject", "rule_ast"],
  segment_watch: [ofTheOrganization, "rule"],
  site_analysis: [ofTheOrganization, "keywords", "topics", "content_hash"],
  topic: [ofTheOrganization, "topic_name", "words"],
  topic_list: [ofTheOrganization, "name", "topic_ids"],
  webhook: [
    `${ofTheOrganization}, and ids of users of the console`,
    "name",
    "secret",
    "former_secret",
    "recipients",
  ],
  write_key: [ofTheOrganization, "name", "digest"],
  device_login: [
    usersOfTheConsole,
    "device_digest",
    "user_digest",
    "client_name",
    "client_address",
    "user_id",
  ],
  invitation: [usersOfTheConsole, "user_id", "digest", "mail_digest"],
  known_address: [usersOfTheConsole, "user_id", "address_hash"],
  member: [usersOfTheConsole, "user_id"],
  password_reset: [usersOfTheConsole, "digest", "user_id"],
  ready_mail: [usersOfTheConsole, "user_id"],
  refresh_chain: [usersOfTheConsole, "user_id", "digest"],
  user_account: [usersOfTheConsole, "email", "name", "password_hash"],
  company: [
    "a company that no one else visits from is deleted with the person; the others are counted again",
    "name",
    "linkedin_url",
    "network",
  ],
  company_owner: [`${usersOfTheConsole}; goes with the company`, "user_id"],
  company_note: [
    "written by the organization about a company, with which it goes (see company)",
    "text",
  ],
  company_score: ["what the rule of an entry asks for, and when someone was there", "top"],
  data_key: ["keys of the server", "wrapped"],
  delivery_batch: ["positions in a run's result, whose rows are deleted", "positions"],
  destination_erasure: [
    "sealed, by what a destination knows the person, until it has answered, at most 7 days (spec 2.16.11)",
    "person",
  ],
  erasure: [countsOnly, "kinds"],
  erasure_destination: [
    "names of destinations and what they answered (spec 2.26)",
    "name",
    "reached",
  ],
  event_gone: [
    "ids of deleted sessions, which lead nowhere; kept until ClickHouse has deleted their events",
    "session_id",
  ],
  overview_day: [countsOnly, "people", "suppressed_people", "companies", "counted_companies"],
  repeatable_request: [
    "answers, encrypted, for 24 hours: a repeated request must get the same one (spec 1.7)",
    "request_hash",
    "answer",
  ],
  schema_migration: ["names of migrations", "name"],
  suppression_rule: [
    "a rule is the organization's instruction to leave the person alone, so it stays (spec 5.1.6)",
    "value",
  ],
  data_origin: [ofTheOrganization, "name", "target"],
  staged_import: [
    "a file of the organization's instructions, deleted an hour after it arrived (spec 5.16.8)",
    "types",
    "files",
    "plan",
  ],
  suppression_source: [
    ofTheOrganization,
    "name",
    "types",
    "column_name",
    "header_names",
    "headers",
    "validators",
    "attention",
    "people",
    "last_sync",
  ],
  suppression_source_rule: ["see suppression_rule: it stays while the source has it", "value"],
  staged_rule: ["see staged_import", "value"],
  staged_rejection: ["see staged_import", "value"],
  tombstone: [
    "keyed hashes, so that no visit or import brings the person back (spec 5.1.6)",
    "digest",
  ],
  visitor_topic_basis: [
    "signals and versions of an organization",
    "sources",
    "previous_sources",
    "people_version",
  ],
  visitor_topic_round: [
    "how far a worker is: an id that leads nowhere after an erasure, until the last of the visitors",
    "after_visitor",
  ],
  webhook_session: [
    "ids of deleted sessions, which lead nowhere; forgotten within days",
    "session_id",
  ],
  webhook_told_session: ["see webhook_session", "session_id"],
}

let server: TestServer
beforeAll(async () => {
  server = await startServer({ workers: false })
})
afterAll(() => server.close())

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  /** Must be given a value. */
  readonly isRequired: boolean
}

const columnsOf = async (): Promise<ReadonlyArray<Column>> => {
  const rows = await server.sql(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
       a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'm')
       and not c.relispartition
     order by c.relname, a.attnum`,
  )
  return rows as unknown as ReadonlyArray<Column>
}

const personalNames =
  /email|hash|hem|visitor|person|people|session_id|anonymous|joined|user_id|phone|name$|linkedin|payload|traits|address|answer|response|snippet|target|text|value|subject/
const opaqueTypes = new Set(["jsonb", "bytea", "text[]", "integer[]", "uuid[]"])
/** Signals know people by number. */
const numbers = /^(person|leads_to)$/

const mayHoldPerson = ({ name, type }: Pick<Column, "name" | "type">) =>
  opaqueTypes.has(type) ||
  (["text", "uuid", "character varying"].includes(type) && personalNames.test(name)) ||
  (type === "integer" && numbers.test(name))

const excusedColumns = new Map(
  Object.entries(excused).map(([table, [, ...columns]]) => [table, new Set(columns)]),
)

const isDecided = ({ name, table }: Column) =>
  Object.hasOwn(erased, table) ||
  Object.hasOwn(shownElsewhere, table) ||
  excusedColumns.get(table)?.has(name) === true

describe("every column of Postgres that can hold a person", () => {
  it("is erased, shown to be erased by another test, or excused with a reason", async () => {
    const undecided = (await columnsOf()).filter(
      (column) => mayHoldPerson(column) && !isDecided(column),
    )

    expect(undecided.map(({ name, table }) => `${table}.${name}`)).toEqual([])
  })

  it("is decided once, and exists", async () => {
    const columns = await columnsOf()
    const tables = new Set(columns.map(({ table }) => table))
    const decided = [erased, shownElsewhere, excused].flatMap((all) => Object.keys(all))
    const names = new Set(
      columns.filter(mayHoldPerson).map(({ name, table }) => `${table}.${name}`),
    )
    const excuses = [...excusedColumns].flatMap(([table, all]) =>
      [...all].map((name) => `${table}.${name}`),
    )

    expect(decided.filter((table) => !tables.has(table))).toEqual([])
    expect(decided).toHaveLength(new Set(decided).size)
    expect(excuses.filter((name) => !names.has(name))).toEqual([])
  })

  it.each(Object.entries(shownElsewhere))("%s: %s looks at the table", (table, file) => {
    const path = join(import.meta.dirname, "..", file)

    expect(existsSync(path) && readFileSync(path, "utf8")).toMatch(new RegExp(`\\b${table}\\b`))
  })
})

describe("every column of ClickHouse that can hold a person", () => {
  /** By the columns that the sources create. */
  const tables = globSync("**/*-store.ts", { cwd: join(import.meta.dirname, "../../src") })
    .map((file) => readFileSync(join(import.meta.dirname, "../../src", file), "utf8"))
    .filter((source) => /\bclickHouseTables\(/.test(source))
    .flatMap((source) => [...source.matchAll(/columns: `([^`]+)`/g)].map(([, columns]) => columns!))

  it("is shown to be erased by a test on a real ClickHouse, or excused with a reason", () => {
    const decided = new Map([
      ["session_id", "identification/event-archive.test.ts"],
      ["anonymous_id", "deleted with the session"],
      ["payload", "deleted with the session"],
      ["url", "deleted with the session"],
      ["person", "topics/clickhouse/remote-signals.test.ts"],
      // Not of a person: the organization, the site, the event, the set of signals, and times.
      ["organization_id", ""],
      ["pixel_id", ""],
      ["id", ""],
      ["generation", ""],
      ["received_on", ""],
      ["received_at", ""],
      ["occurred_at", ""],
      ["made_at", ""],
      ["date", ""],
      ["type", ""],
      ["topic_id", ""],
      ["score", ""],
      ["is_gone", ""],
    ])
    // A comma inside of a type, such as DateTime64(6, 'UTC'), is followed by no name.
    const names = tables.flatMap((columns) =>
      columns.split(/,\s*(?=[a-z_]+ [A-Z])/).map((column) => column.trim().split(" ")[0]!),
    )

    expect(tables).toHaveLength(3)
    expect(names.filter((name) => !decided.has(name))).toEqual([])
    for (const decision of decided.values()) {
      if (decision.endsWith(".test.ts"))
        expect(existsSync(join(import.meta.dirname, "..", decision))).toBe(true)
    }
  })
})

describe("an erased person", () => {
  const fillers: Readonly<Record<string, string>> = {
    uuid: "gen_random_uuid()",
    text: "'x'",
    jsonb: "'{}'",
    bytea: `'\\x${"00".repeat(32)}'`,
    boolean: "false",
    date: "current_date",
    "timestamp with time zone": "now()",
  }

  /** The value of a column that does not matter. */
  const filler = (type: string) => fillers[type] ?? (type.endsWith("[]") ? "'{}'" : "1")

  it("is in none of these tables any more, and was in each of them", async () => {
    const columns = Map.groupBy(await columnsOf(), ({ table }) => table)
    const { organizationId } = server
    const insert = (table: string, values: Readonly<Record<string, string>>) => {
      const given = { organization_id: "$1::uuid", ...values }
      const filled = columns
        .get(table)!
        .filter(({ isRequired, name }) => isRequired || Object.hasOwn(given, name))
        .map(({ name, type }): readonly [string, string] => [
          name,
          new Map(Object.entries(given)).get(name) ?? filler(type),
        ])
      const names = filled.map(([name]) => name).join(", ")
      const all = filled.map(([, value]) => value).join(", ")
      // Triggers, keys and checks are off, so that a row alone can be there.
      return `set local session_replication_role = replica;
        insert into ${table} (${names}) values (${all.replaceAll("$1", `'${organizationId}'`)})`
    }
    const put = async (sql: string) => {
      await server.sql(`do $fill$ begin ${sql}; end $fill$`)
    }
    const checks = await server.sql(
      `select conrelid::regclass as "table", conname as name from pg_constraint
       where contype = 'c' and connamespace = 'public'::regnamespace and conislocal`,
    )
    for (const { name, table } of checks)
      await server.sql(`alter table ${table} drop constraint ${name}`)
    await server.sql("create table event_0 partition of event default")
    const parentIds: Record<string, string> = {}
    for (const [table, parent] of Object.entries(parents)) {
      parentIds[table] = randomUUID()
      await put(insert(parent, { id: quoted(parentIds[table]) }))
    }
    for (const [table, values] of Object.entries(erased)) {
      const parent = (parents as Record<string, string>)[table]
      const more = parent === undefined ? {} : { [`${parent}_id`]: quoted(parentIds[table]!) }
      await put(insert(table, { ...values, ...more }))
    }
    const texts = [email, visitorId, sessionId, anonymousId, userId, joinedId]
    const tables = async () =>
      new Set(
        (await findings(server.sql, texts)).map(({ table }) =>
          table.replace(/^event_\d.*$/, "event"),
        ),
      )
    const found = await tables()
    expect(Object.keys(erased).filter((table) => !found.has(table))).toEqual([])

    const { accessToken } = await server.makeUser("admin")
    const archive = await fetch(`${server.url}/v1/data/visitors/${emailHash}/archive`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(archive.status).toBe(200)
    const files = unzipped(Buffer.from(await archive.arrayBuffer()))
    const { files: named } = JSON.parse(files.get("manifest.json")!) as {
      readonly files: ReadonlyArray<{ readonly name: string; readonly rows: number }>
    }
    expect(named.map(({ name }) => name)).toEqual(
      [...files.keys()].filter((name) => name !== "manifest.json"),
    )
    const archived = Object.keys(erased).filter((table) => !Object.hasOwn(notArchived, table))
    // One file for each table, and none is empty.
    expect(named.filter(({ rows }) => rows === 0)).toEqual([])
    expect(named.map(({ name }) => name)).toContain("known_addresses.json")
    expect(named).toHaveLength(archived.length + 1)
    expect(Object.keys(notArchived).filter((table) => !Object.hasOwn(erased, table))).toEqual([])

    await server.sdk.visitors.erase(emailHash)

    expect([...(await tables())]).toEqual(["audit_entry"])
  })
})
