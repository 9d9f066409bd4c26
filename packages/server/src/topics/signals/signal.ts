// A signal: on one date someone, by the SHA-256 of an address, has a score for a topic (spec
// 2.18).

export interface Signal {
  readonly topicId: number
  /** Lower-case hex. */
  readonly emailHash: string
  /** From 1 to 100. */
  readonly score: number
}

/** Signals become visible, and are replaced, by the day. */
export interface SignalDay {
  readonly organizationId: string
  /** From imports, or from the topic rules of pixels. */
  readonly origin: "import" | "pixel"
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string
}
