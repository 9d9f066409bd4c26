// When an event happened by the server's clock: the browser's clock is corrected by its distance from
// the server's at sending, and the result is limited to the 24 hours before receipt, never after it
// (spec 6.3). All values are epoch milliseconds.

export const lateMaxMs = 24 * 60 * 60 * 1_000

export interface BrowserTimes {
  /** Browser clock at the event. */
  readonly time: number
  /** Browser clock at sending. */
  readonly sentAt: number
  /** Server clock at receipt. */
  readonly receivedAt: number
}

export const occurredAt = ({ time, sentAt, receivedAt }: BrowserTimes): number =>
  Math.min(receivedAt, Math.max(receivedAt - lateMaxMs, time + receivedAt - sentAt))
