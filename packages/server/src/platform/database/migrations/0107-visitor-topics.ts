// The topics of visitors, so that rules find them by an index look-up (spec 3.3). `signal` holds people by topic, and there
// is no way back. A worker reads the signals of each data date once and notes the visitors among them. Triggers note whose
// addresses changed, in the transaction of each write; notes are only added, so writers never wait for the worker.

const stale = (rows: string) => `
  insert into visitor_topic_stale (organization_id, visitor_id)
  select distinct changed.organization_id, changed.visitor_id
  from (${rows}) as changed
  join visitor on visitor.organization_id = changed.organization_id
    and visitor.id = changed.visitor_id;`

const addressOf = (rows: string) => `select organization_id, visitor_id, email_hash from ${rows}`

const triggerOn = (table: string, event: "delete" | "insert" | "update", body: string) => {
  const tables = {
    insert: "new table as written",
    update: "old table as replaced new table as written",
    delete: "old table as replaced",
  }
  const name = `note_topics_of_${table}_${event}`
  return [
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       ${body}
       return null;
     end $$`,
    `create trigger ${table}_topic_${event} after ${event} on ${table}
     referencing ${tables[event]} for each statement execute function ${name}()`,
  ]
}

const gone = (table: string) => `
  delete from ${table} as own using replaced as r
  where own.organization_id = r.organization_id and own.visitor_id = r.id;`

export const statements: ReadonlyArray<string> = [
  // Signals that were read, or are being read: those of one owner, origin and date, as they were at one version. Read again,
  // they are a new source. `is_whole`: every visitor among them has their rows.
  `create table visitor_topic_source (
    id integer generated always as identity primary key,
    organization_id uuid not null,
    origin text collate "C" not null check (origin in ('import', 'pixel')),
    date date not null,
    version timestamptz not null,
    -- Of the signals in ClickHouse.
    generation uuid,
    is_whole boolean not null default false,
    -- No rule reads it anymore. Its rows are deleted.
    is_gone boolean not null default false,
    begun_at timestamptz not null default clock_timestamp(),
    ended_at timestamptz
  )`,
  `create index visitor_topic_source_of on visitor_topic_source (organization_id, date, origin)`,

  // The sources that an organization's rules read: those of its newest data date. Those of the date before say what has
  // changed since.
  `create table visitor_topic_basis (
    organization_id uuid primary key,
    date date,
    sources integer[] not null,
    previous_date date,
    previous_sources integer[] not null default '{}',
    -- The imported people and links by which the visitors' numbers were found, and when.
    people_version text not null default '',
    linked_at timestamptz not null default now()
  )`,

  // A visitor's numbers in `signal_person`. Their signals are missing from whole sources before `since`; null: from none.
  `create table visitor_number (
    organization_id uuid not null,
    visitor_id uuid not null,
    person integer not null,
    since integer,
    primary key (organization_id, visitor_id, person)
  )`,
  `create index visitor_number_person on visitor_number (person)`,
  `create index visitor_number_since on visitor_number (since, organization_id, visitor_id, person)
    where since is not null`,

  // A visitor's highest score for a topic in a source.
  `create table visitor_topic (
    organization_id uuid not null,
    visitor_id uuid not null,
    source_id integer not null,
    topic_id integer not null,
    score smallint not null,
    primary key (organization_id, visitor_id, source_id, topic_id) include (score)
  )`,
  `create index visitor_topic_source_topic on visitor_topic
    (source_id, topic_id, organization_id, visitor_id)`,

  `create table visitor_topic_stale (
    organization_id uuid not null,
    visitor_id uuid not null,
    id bigint not null generated always as identity,
    primary key (organization_id, visitor_id, id)
  )`,

  // What the worker does now, in one process at a time, and how far it is: after a crash the next turn goes on there.
  `create table visitor_topic_round (
    is_only boolean primary key default true check (is_only),
    number bigint not null default 0,
    -- A source as a whole, or the visitors who changed. Null: nothing.
    kind text check (kind in ('source', 'visitors')),
    step text check (step in ('people', 'signals', 'end')),
    -- Of the round before: the kinds take turns.
    was_visitors boolean not null default false,
    source_id integer,
    -- Whose visitors all get their numbers again.
    organization_id uuid,
    after_organization uuid,
    after_visitor uuid,
    topic_id integer,
    score smallint,
    place integer,
    signals_at timestamptz,
    -- The version of all signals when every source was whole, and when that was.
    whole_version text not null default '',
    whole_at timestamptz not null default 'epoch',
    rests_until timestamptz not null default 'epoch'
  )`,
  `insert into visitor_topic_round default values`,

  ...triggerOn("visitor_address", "insert", stale(addressOf("written"))),
  ...triggerOn(
    "visitor_address",
    "update",
    stale(`
      (${addressOf("written")} except ${addressOf("replaced")})
      union all
      (${addressOf("replaced")} except ${addressOf("written")})`),
  ),
  ...triggerOn("visitor_address", "delete", stale(addressOf("replaced"))),
  // The numbers first: the worker holds them while it adds topics.
  ...triggerOn(
    "visitor",
    "delete",
    ["visitor_number", "visitor_topic", "visitor_topic_stale"].map(gone).join(""),
  ),
]
