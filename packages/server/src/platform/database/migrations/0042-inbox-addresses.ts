// Finds a person in waiting events: an erasure removes those events in its turn, and has no time to read and hash the
// addresses of all events. Most events contain no address and cost these indexes nothing.

export const statements: ReadonlyArray<string> = [
  `create function address_hash(address text) returns text
    language sql immutable strict parallel safe as $$
    select encode(sha256(convert_to(address, 'UTF8')), 'hex')
  $$`,
  `create index event_inbox_email on event_inbox (organization_id, address_hash(payload ->> 'e'))
    where payload ->> 'e' is not null`,
  `create index event_inbox_hash on event_inbox (organization_id, (payload ->> 'h'))
    where payload ->> 'h' is not null`,
  `create index event_inbox_browser on event_inbox (organization_id, anonymous_id)`,
]
