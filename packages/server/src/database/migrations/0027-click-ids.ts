// What retention finds the click ids by that are kept too long (spec 1.8). A click id that was taken
// away leaves its name behind with null in place of its value, so such a session is not found again.

export const statements: ReadonlyArray<string> = [
  `create index session_click_ids on session (organization_id, ended_at, id)
    where click_ids @? '$.*[0] ? (@ != null)'`,
  `create index event_click_ids on event (organization_id, received_on)
    where payload ? 'c'`,
]
