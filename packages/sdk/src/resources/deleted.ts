// The answer to a deletion. Source: spec 5.

/** What was named is gone. */
export interface Deleted {
  readonly deleted: true
}
