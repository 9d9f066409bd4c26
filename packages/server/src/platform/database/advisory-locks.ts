// The advisory locks of this database. The numbers are arbitrary, but nothing else in the database may use them.

export const advisoryLocks = {
  /** Held while the schema is updated. */
  migration: 4_100_000_001n,
  /** Held while a day's partition of events is created. */
  partition: 4_100_000_002n,
  /**
   * Shared by holders of an organization's turn; exclusive for writes that affect every organization. See
   * organization-turns.ts.
   */
  identification: 4_100_000_003n,
  /** Held while people in signals get numbers, taken after a lock on `signals`. */
  signalPeople: 4_100_000_004n,
  /** Held while data keys are created or wrapped with another secret. */
  dataKeys: 4_100_000_005n,
  /**
   * The first of two numbers; the second identifies an organization. Held while its signals are written, and shared by
   * the transactions of one import.
   */
  signals: 4_100,
  /** Same form: the turn to write an organization's identification data. See organization-turns.ts. */
  organizationTurn: 4_103,
  /** Same form: held while searching for people whose marks a sync cycle changes. */
  suppressionMarks: 4_104,
  /** Same form: held while some of these people are marked. */
  suppressionMarking: 4_107,
  /** Same form: held while a day of the organization's overview is computed. */
  overview: 4_105,
  /** Same form: held while some of the organization's scores are computed. */
  scores: 4_108,
  /** Same form: held while some of its people are compared with the segments of its alerts. */
  segments: 4_109,
  /** Same form: held while an import of the organization's signals runs. */
  signalImport: 4_101,
  /** Same form: held until commit while people are added to or removed from stored results. */
  results: 4_102,
  /** Same form: shared while records of its inbound sources are stored, exclusive until an erasure has deleted its person's. */
  inbound: 4_110,
  /** The first of two numbers; the second identifies a lane. Held by the pass that processes its organizations. */
  identificationLane: 4_106,
} as const
