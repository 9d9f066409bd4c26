// Signals, laid out for one question: whose score for some topics on one date lies in a range
// (spec 2.8, 2.18). All people of one organization, date, topic and score stand in one row, as
// numbers that a directory leads to their hashes: the question reads some dozens of rows.

export const statements: ReadonlyArray<string> = [
  // Which number stands for which hash. `organization_ids`: whose signals name it, so that an erased
  // person's hash goes with the last of them; the id of no organization stands for shared signals.
  // `named_on`: at most a hundred days before the last day on which signals named it.
  `create table signal_person (
    id integer generated always as identity primary key,
    email_hash bytea not null unique,
    organization_ids uuid[] not null,
    named_on date not null default current_date
  )`,

  // `people` ascends. `origin`: shared and private imports, or the topic rules of a pixel.
  `create table signal (
    organization_id uuid not null,
    origin text collate "C" not null check (origin in ('import', 'pixel')),
    date date not null,
    topic_id integer not null,
    score smallint not null check (score between 1 and 100),
    people integer[] not null,
    primary key (organization_id, date, topic_id, score, origin)
  )`,

  // The dates whose signals are there as a whole: what is not named here is not read.
  `create table signal_date (
    organization_id uuid not null,
    origin text collate "C" not null check (origin in ('import', 'pixel')),
    date date not null,
    signals bigint not null,
    updated_at timestamptz not null default now(),
    primary key (organization_id, date, origin)
  )`,

  // The roll-up behind trend, comparison and movers: of shared signals alone.
  `create table topic_day (
    topic_id integer not null,
    date date not null,
    unique_audience integer not null,
    total_signals integer not null,
    score_sum bigint not null,
    high_audience integer not null,
    medium_audience integer not null,
    low_audience integer not null,
    primary key (topic_id, date)
  )`,
  `create index topic_day_date on topic_day (date, topic_id)`,

  // Signals of imports that have not ended, or broke off: nobody reads them before their date is merged
  // as a whole. `entries` is staged-entries.ts's. Not logged: a crash of Postgres loses what is invisible,
  // and the import is sent again.
  `create unlogged table signal_staged (
    organization_id uuid not null,
    date date not null,
    id bigint generated always as identity,
    import_id uuid not null,
    staged_at timestamptz not null default now(),
    signals integer not null,
    entries bytea not null,
    primary key (organization_id, date, id)
  )`,
  // Numbers do not get smaller by being packed.
  `alter table signal_staged alter column entries set storage external`,
  `alter table signal alter column people set storage external`,
]
