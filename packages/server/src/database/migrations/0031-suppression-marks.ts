// A sync cycle marks people in many short turns: `marks_from` says from which moment on changes of rules are not
// marked yet, and `suppression_mark` whose marks are to be decided again.

export const statements: ReadonlyArray<string> = [
  `alter table suppression_list add column marks_from timestamptz`,
  `create table suppression_mark (
    organization_id uuid not null,
    visitor_id uuid not null,
    primary key (organization_id, visitor_id)
  )`,
]
