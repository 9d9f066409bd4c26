// The attempts at a contact that failed, as they were answered (spec 5.10.15). Null: it failed before they were kept.

export const statements: ReadonlyArray<string> = [
  `alter table delivery_failure add column tries jsonb`,
]
