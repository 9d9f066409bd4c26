// The failed attempts at a contact with their responses (spec 5.10.15). Null: it failed before attempts were stored.

export const statements: ReadonlyArray<string> = [
  `alter table delivery_failure add column tries jsonb`,
]
