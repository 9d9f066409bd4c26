// Old events may be moved to ClickHouse (spec 18.3).

export const statements: ReadonlyArray<string> = [
  // At most one row: without it, ClickHouse never had an event. The newest day of receipt that was ever moved, and which
  // process moves events until when.
  `create table event_archive (
    is_only boolean primary key default true check (is_only),
    until date not null,
    mover uuid not null,
    lease_ends_at timestamptz not null
  )`,

  // Sessions of erased people whose events ClickHouse still has to delete: ids that lead to no one.
  `create table event_gone (
    organization_id uuid not null,
    session_id uuid not null,
    erased_at timestamptz not null default clock_timestamp(),
    is_deleted_once boolean not null default false,
    primary key (organization_id, session_id)
  )`,
]
