// Each organization's events wait in their own queue. The pass takes a share from every queue, so an organization with
// many events, or with one that fails, does not hold up the others.

export const statements: ReadonlyArray<string> = [
  `create index event_inbox_queue on event_inbox (organization_id, sequence)`,
]
