// The index by which retention finds click ids past their retention period (spec 1.8). A removed click id leaves its
// name with a null value, so its session is not found again.

export const statements: ReadonlyArray<string> = [
  `create index session_click_ids on session (organization_id, ended_at, id)
    where click_ids @? '$.*[0] ? (@ != null)'`,
  `create index event_click_ids on event (organization_id, received_on)
    where payload ? 'c'`,
]
