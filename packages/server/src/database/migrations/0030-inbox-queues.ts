// The events of each organization wait in a queue of their own, so that the pass takes a share of every one
// and an organization with many events, or with one that fails, keeps no other waiting.

export const statements: ReadonlyArray<string> = [
  `create index event_inbox_queue on event_inbox (organization_id, sequence)`,
]
