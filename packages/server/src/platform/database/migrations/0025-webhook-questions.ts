// People whose match with a webhook's segment could not be decided when an event happened (spec 8.5).

export const statements: ReadonlyArray<string> = [
  // Evaluated again at `ask_at`. `asked_at`: the time of the event, as of which the segment is evaluated. It also
  // fences: a newer event moves it. `attempts`: failed evaluations.
  `create table webhook_question (
    organization_id uuid not null,
    webhook_id uuid not null,
    visitor_id uuid not null,
    pixel_id uuid not null,
    kind text not null,
    attempts integer not null default 1,
    asked_at timestamptz not null default clock_timestamp(),
    ask_at timestamptz not null,
    primary key (organization_id, webhook_id, visitor_id)
  )`,
  `create index webhook_question_due on webhook_question (organization_id, webhook_id, ask_at)`,
  `create index webhook_question_next on webhook_question (ask_at)`,
  `create index webhook_question_visitor on webhook_question (organization_id, visitor_id)`,
]
