// When a webhook's segment last could not be evaluated (spec 8.5). Separate from the last error that is shown, because
// a failing receiver overwrites that.

export const statements: ReadonlyArray<string> = [
  `alter table webhook add column asked_in_vain_at timestamptz`,
]
