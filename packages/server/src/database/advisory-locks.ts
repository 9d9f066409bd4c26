// The advisory locks of this database. Any numbers will do as long as nothing else in the database
// takes the same ones.

export const advisoryLocks = {
  /** Held while the schema is brought up to date. */
  migration: 4_100_000_001n,
  /** Held while a day of events is made ready. */
  partition: 4_100_000_002n,
  /**
   * Held, together with others, by whoever has the turn of an organization; alone by whoever writes what
   * concerns every organization. See organization-turns.ts.
   */
  identification: 4_100_000_003n,
  /** Held by whoever gives numbers to people of signals, after a lock of `signals`. */
  signalPeople: 4_100_000_004n,
  /** Held while data keys are made or wrapped by another secret. */
  dataKeys: 4_100_000_005n,
  /**
   * First of two numbers, the second one an organization's: held by whoever writes its signals, shared
   * by the transactions of one import.
   */
  signals: 4_100,
  /** Likewise: the turn of whoever writes what identification knows of it. See organization-turns.ts. */
  organizationTurn: 4_103,
  /** Likewise: held by whoever looks for people whose marks a sync cycle changes. */
  suppressionMarks: 4_104,
  /** Likewise: held as long as an import of its signals lasts. */
  signalImport: 4_101,
  /** Likewise: held by whoever adds people to kept results or takes them out, until it is committed. */
  results: 4_102,
} as const
