// Scores of people and companies (spec 2.23). Everyone has a row from the start, so the worker that computes scores only
// ever updates rows, and no score outlives its person. Triggers note who has to be computed again, in the transaction
// of each write; notes are only added, so writers never wait for the worker or for one another.

/** Notes the people of a transition table's sessions, and the companies of anonymous ones. */
const noteSessions = (rows: string) => `
  insert into score_stale (organization_id, visitor_id)
  select distinct organization_id, visitor_id from ${rows} where visitor_id is not null;
  insert into score_stale_company (organization_id, domain)
  select distinct organization_id, network_domain from ${rows}
  where visitor_id is null and network_domain is not null;`

const triggerOn = (table: string, event: "delete" | "insert" | "update", body: string) => {
  const tables = {
    insert: "new table as written",
    update: "old table as replaced new table as written",
    delete: "old table as replaced",
  }
  const name = `note_scores_of_${table}_${event}`
  return [
    `create function ${name}() returns trigger language plpgsql as $$
     begin
       ${body}
       return null;
     end $$`,
    `create trigger ${table}_score_${event} after ${event} on ${table}
     referencing ${tables[event]} for each statement execute function ${name}()`,
  ]
}

const newPeople = (rows: string) => `
  insert into visitor_score (organization_id, visitor_id, email_hash, seen_at)
  select organization_id, id, email_hash, last_seen_at from ${rows}`

const newCompanies = (rows: string) => `
  insert into company_score (organization_id, domain, seen_at)
  select organization_id, domain, last_seen_at from ${rows}`

/** What both kinds of scores have. Rank is the total, or -1 for none, and bit n of \`held\` is entry n of a part. */
const score = `
  seen_at timestamptz not null,
  rank smallint not null default -1,
  fit smallint,
  interest smallint,
  is_hot boolean not null default false,
  revision integer,
  fit_held integer not null default 0,
  computed_at timestamptz,
  -- The total with which the day, and the week, of computed_at began.
  day_total smallint,
  week_total smallint`

export const statements: ReadonlyArray<string> = [
  // The settings by which scores are computed. The one in force is that of score_state; 0 is the default.
  `create table score_config (
    organization_id uuid not null,
    revision integer not null,
    config jsonb not null,
    primary key (organization_id, revision)
  )`,
  `create table score_state (
    organization_id uuid primary key,
    revision integer not null default 0,
    last_revision integer not null default 0,
    -- Entries that took too long for someone: [{part, name, at}].
    too_slow jsonb not null default '[]',
    -- What the lists that rules name were like when the last whole round began.
    lists_seen text not null default '',
    next_round_at timestamptz not null default now(),
    whole_round_at timestamptz,
    -- What the round computes now. Null while none is under way.
    round text check (round in ('people', 'companies')),
    round_is_whole boolean not null default false,
    -- The last one that it computed. Null: none yet.
    round_seen_at timestamptz,
    round_key text collate "C"
  )`,
  `create table visitor_score (
    organization_id uuid not null,
    visitor_id uuid not null,
    email_hash text collate "C" not null,
    company_key text,
    interest_held integer not null default 0,
    ${score},
    primary key (organization_id, visitor_id)
  ) with (fillfactor = 85)`,
  `create table company_score (
    organization_id uuid not null,
    domain text collate "C" not null,
    -- Of its anonymous sessions: which entries hold, and the last one's end.
    anonymous_held integer not null default 0,
    anonymous_seen_at timestamptz,
    ${score},
    primary key (organization_id, domain)
  ) with (fillfactor = 85)`,
  `create table score_stale (
    organization_id uuid not null,
    visitor_id uuid not null,
    id bigint not null generated always as identity,
    primary key (organization_id, visitor_id, id)
  )`,
  `create table score_stale_company (
    organization_id uuid not null,
    domain text collate "C" not null,
    id bigint not null generated always as identity,
    primary key (organization_id, domain, id)
  )`,

  ...triggerOn(
    "visitor",
    "insert",
    `${newPeople("written")};
     insert into score_stale (organization_id, visitor_id)
     select organization_id, id from written;`,
  ),
  ...triggerOn(
    "visitor",
    "update",
    `insert into score_stale (organization_id, visitor_id)
     select organization_id, id from written;`,
  ),
  ...triggerOn(
    "visitor",
    "delete",
    `with gone as (
       delete from visitor_score s using replaced r
       where s.organization_id = r.organization_id and s.visitor_id = r.id
       returning s.organization_id, s.company_key
     )
     insert into score_stale_company (organization_id, domain)
     select distinct organization_id, company_key from gone where company_key is not null;
     delete from score_stale s using replaced r
     where s.organization_id = r.organization_id and s.visitor_id = r.id;`,
  ),
  ...triggerOn(
    "visitor_address",
    "insert",
    `insert into score_stale (organization_id, visitor_id)
     select distinct organization_id, visitor_id from written;`,
  ),
  ...triggerOn(
    "visitor_address",
    "update",
    `insert into score_stale (organization_id, visitor_id)
     select organization_id, visitor_id from replaced
     union select organization_id, visitor_id from written;`,
  ),
  ...triggerOn(
    "visitor_address",
    "delete",
    `insert into score_stale (organization_id, visitor_id)
     select distinct organization_id, visitor_id from replaced;`,
  ),
  ...triggerOn("session", "insert", noteSessions("written")),
  ...triggerOn(
    "session",
    "update",
    `${noteSessions("written")}
     with moved as (
       select o.organization_id, o.visitor_id, o.network_domain
       from replaced o
       join written n on n.organization_id = o.organization_id and n.id = o.id
       where (o.visitor_id, o.network_domain) is distinct from (n.visitor_id, n.network_domain)
     ), companies as (
       insert into score_stale_company (organization_id, domain)
       select distinct organization_id, network_domain from moved
       where visitor_id is null and network_domain is not null
     )
     insert into score_stale (organization_id, visitor_id)
     select distinct organization_id, visitor_id from moved where visitor_id is not null;`,
  ),
  ...triggerOn("session", "delete", noteSessions("replaced")),
  ...triggerOn(
    "company",
    "insert",
    `${newCompanies("written")};
     insert into score_stale_company (organization_id, domain)
     select organization_id, domain from written;`,
  ),
  ...triggerOn(
    "company",
    "update",
    `insert into score_stale_company (organization_id, domain)
     select organization_id, domain from written;`,
  ),
  ...triggerOn(
    "company",
    "delete",
    `delete from company_score s using replaced r
     where s.organization_id = r.organization_id and s.domain = r.domain;
     delete from score_stale_company s using replaced r
     where s.organization_id = r.organization_id and s.domain = r.domain;`,
  ),

  // After the triggers, whose creation waits for every write in progress. A first round computes them.
  newPeople("visitor"),
  newCompanies("company"),
  `insert into score_state (organization_id)
   select id from organization
   where exists (select from visitor where organization_id = organization.id)
     or exists (select from company where organization_id = organization.id)`,
  "set local maintenance_work_mem = '256MB'",
  // The order of lists by score.
  `create index visitor_score_rank on visitor_score
    (organization_id, rank, seen_at desc, email_hash) include (visitor_id)`,
  `create index company_score_rank on company_score
    (organization_id, rank, seen_at desc, domain)`,
  // What people add to the score of their company.
  `create index visitor_score_fit on visitor_score (organization_id, company_key, revision, fit_held)
    where company_key is not null and fit_held <> 0`,
  `create index visitor_score_interest on visitor_score
    (organization_id, company_key, interest desc)
    where company_key is not null and interest > 0`,
  "analyze visitor_score",
  "analyze company_score",
]
