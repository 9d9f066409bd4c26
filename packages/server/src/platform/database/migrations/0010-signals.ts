// Signals, laid out for one question: who has a score in a range for some topics on one date (spec 2.8, 2.18). All
// people of one organization, date, topic and score are in one row, as numbers that `signal_person` maps to hashes, so
// the question reads a few dozen rows.

export const statements: ReadonlyArray<string> = [
  // Maps numbers to hashes. `organization_ids`: the organizations whose signals contain it, so that an erased person's
  // hash is deleted with the last of them; the zero id means shared signals. `named_on`: at most a hundred days before
  // the last day whose signals contain it.
  `create table signal_person (
    id integer generated always as identity primary key,
    email_hash bytea not null unique,
    organization_ids uuid[] not null,
    named_on date not null default current_date
  )`,

  // `people` is ascending. `origin`: shared and private imports, or the topic rules of a pixel.
  `create table signal (
    organization_id uuid not null,
    origin text collate "C" not null check (origin in ('import', 'pixel')),
    date date not null,
    topic_id integer not null,
    score smallint not null check (score between 1 and 100),
    people integer[] not null,
    primary key (organization_id, date, topic_id, score, origin)
  )`,

  // The dates whose signals are complete. Dates without a row are not read.
  `create table signal_date (
    organization_id uuid not null,
    origin text collate "C" not null check (origin in ('import', 'pixel')),
    date date not null,
    signals bigint not null,
    updated_at timestamptz not null default now(),
    primary key (organization_id, date, origin)
  )`,

  // Daily totals for trend, comparison and movers, from shared signals only.
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

  // Signals of imports that are unfinished or broken off. Nothing reads them before their whole date is merged.
  // `entries` is encoded by staged-entries.ts. Unlogged: a crash of Postgres only loses unpublished rows, and the
  // import is sent again.
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
  // Compression does not make the numbers smaller.
  `alter table signal_staged alter column entries set storage external`,
  `alter table signal alter column people set storage external`,
]
