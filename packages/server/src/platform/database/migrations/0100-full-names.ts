// Rules compare a person's full name (`contact.name`, spec 3.3). With this index, Postgres finds a whole name, and
// knows how often each occurs: what the folded columns of migration 0005 are for, without rewriting the table.

export const statements: ReadonlyArray<string> = [
  `create index visitor_full_name on visitor (
    organization_id,
    (fold_case(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))))
  )`,
  "analyze visitor",
]
