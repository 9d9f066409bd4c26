// The advisory locks of this database. Any numbers will do as long as nothing else in the database
// takes the same ones.

export const advisoryLocks = {
  /** Held while the schema is brought up to date. */
  migration: 4_100_000_001n,
  /** Held while a day of events is made ready. */
  partition: 4_100_000_002n,
  /**
   * Held, together with others, by the holder of an organization's turn; alone by a writer of what
   * concerns every organization. See organization-turns.ts.
   */
  identification: 4_100_000_003n,
  /** Held while numbers are given to people of signals, after a lock of `signals`. */
  signalPeople: 4_100_000_004n,
  /** Held while data keys are made or wrapped by another secret. */
  dataKeys: 4_100_000_005n,
  /**
   * First of two numbers, the second one an organization's: held while its signals are written, shared
   * by the transactions of one import.
   */
  signals: 4_100,
  /** Likewise: the turn for writing what identification knows of it. See organization-turns.ts. */
  organizationTurn: 4_103,
  /** Likewise: held while looking for people whose marks a sync cycle changes. */
  suppressionMarks: 4_104,
  /** Likewise: held while some of these people are marked. */
  suppressionMarking: 4_107,
  /** Likewise: held by whoever works out a day of its overview. */
  overview: 4_105,
  /** Likewise: held as long as an import of its signals lasts. */
  signalImport: 4_101,
  /** Likewise: held while people are added to or removed from stored results, until the commit. */
  results: 4_102,
  /** First of two numbers, the second one a lane's: held by the pass that works at its organizations. */
  identificationLane: 4_106,
} as const
