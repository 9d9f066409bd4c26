// The days whose page views have become signals by the topic rules of pixels, and what is left to do of
// them (spec 2.18).

export const statements: ReadonlyArray<string> = [
  // A day is noted once, together with its tasks, by whoever finds first that it has ended.
  `create table own_intent_day (
    date date primary key,
    noted_at timestamptz not null default now()
  )`,

  // Goes with the transaction that writes the signals of the organization and the day.
  `create table own_intent_task (
    organization_id uuid not null references organization (id),
    date date not null,
    attempt_at timestamptz not null default now(),
    primary key (organization_id, date)
  )`,
]
