// When the segment of a webhook last failed to answer (spec 8.5), apart from the last error that is
// shown: a receiver that fails overwrites that one.

export const statements: ReadonlyArray<string> = [
  `alter table webhook add column asked_in_vain_at timestamptz`,
]
