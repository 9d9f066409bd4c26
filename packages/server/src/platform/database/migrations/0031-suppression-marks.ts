// A sync cycle marks people in many short turns. `marks_from`: from when on rule changes are not marked yet.
// `suppression_mark`: people whose marks must be decided again.

export const statements: ReadonlyArray<string> = [
  `alter table suppression_list add column marks_from timestamptz`,
  `create table suppression_mark (
    organization_id uuid not null,
    visitor_id uuid not null,
    primary key (organization_id, visitor_id)
  )`,
]
