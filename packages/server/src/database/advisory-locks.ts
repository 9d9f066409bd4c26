// The advisory locks of this database. The numbers are arbitrary, as long as nothing else in the database uses them.

export const advisoryLocks = {
  /** Held while the schema is updated. */
  migration: 4_100_000_001n,
  /** Held while a day's partition of events is created. */
  partition: 4_100_000_002n,
  /**
   * Shared by holders of an organization's turn; exclusive for writers of what concerns every organization. See
   * organization-turns.ts.
   */
  identification: 4_100_000_003n,
  /** Held while people of signals get numbers, after a lock of `signals`. */
  signalPeople: 4_100_000_004n,
  /** Held while data keys are created or wrapped with another secret. */
  dataKeys: 4_100_000_005n,
  /**
   * First of two numbers, the second is an organization's: held while its signals are written, shared by the
   * transactions of one import.
   */
  signals: 4_100,
  /** Likewise: the turn to write what identification knows about it. See organization-turns.ts. */
  organizationTurn: 4_103,
  /** Likewise: held while searching for people whose marks a sync cycle changes. */
  suppressionMarks: 4_104,
  /** Likewise: held while some of these people are marked. */
  suppressionMarking: 4_107,
  /** Likewise: held while a day of its overview is computed. */
  overview: 4_105,
  /** Likewise: held while an import of its signals runs. */
  signalImport: 4_101,
  /** Likewise: held while people are added to or removed from stored results, until the commit. */
  results: 4_102,
  /** First of two numbers, the second is a lane's: held by the pass that processes its organizations. */
  identificationLane: 4_106,
} as const
