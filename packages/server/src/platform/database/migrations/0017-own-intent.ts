// The days whose page views were turned into signals by the topic rules of pixels, and the tasks left for them (spec
// 2.18).

export const statements: ReadonlyArray<string> = [
  // A day is recorded once, together with its tasks, by the first process that finds it has ended.
  `create table own_intent_day (
    date date primary key,
    noted_at timestamptz not null default now()
  )`,

  // Deleted in the transaction that writes the organization's signals for the day.
  `create table own_intent_task (
    organization_id uuid not null references organization (id),
    date date not null,
    attempt_at timestamptz not null default now(),
    primary key (organization_id, date)
  )`,
]
