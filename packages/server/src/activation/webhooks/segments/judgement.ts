// Decides who entered or left a watched segment, and which alerts say so (spec 8.7). Pure. An alert that is older than the
// last whole sweep knows everyone's state. A newer one does not: it asks who was in the segment when it was made, and
// where that can't be known, it says nothing.

/** How long a session lasts without an event. Units: milliseconds. */
const sessionGap = 30 * 60_000

/** A person, or a company, of the segment's organization. Times are in epoch milliseconds. */
export interface State {
  readonly subject: string
  /** Suppressed: no alert names them. */
  readonly isSilent: boolean
  readonly seenAt: number
  /** What is recorded; both null without a record. */
  readonly isIn: boolean | null
  readonly judgedAt: number | null
}

export interface Alert {
  readonly webhookId: string
  readonly trigger: "entered_segment" | "left_segment"
  /** What happened before is not sent. */
  readonly from: number
  /** Whether everyone's state is known since `from`. */
  readonly isSettled: boolean
}

export interface Judgement {
  readonly subject: string
  /** What to record; null: no record. Undefined: nothing changes. */
  readonly record: boolean | null | undefined
  /** The alerts that say so. */
  readonly told: ReadonlyArray<Alert>
}

/** Whether the alert has to ask if they were in the segment when it was made: they came back since. */
export const asksBefore = ({ judgedAt, seenAt }: State, { from, isSettled }: Alert): boolean =>
  !isSettled && (judgedAt ?? -Infinity) < from && seenAt >= from

/** `wasIn`: the answer for an alert that asks. */
export const judgementOf = (
  state: State,
  isIn: boolean,
  alerts: ReadonlyArray<Alert>,
  wasIn: (alert: Alert) => boolean,
): Judgement => {
  const { isSilent, subject } = state
  const waiting = alerts.filter(({ isSettled }) => !isSettled)
  const before = (alert: Alert): boolean => {
    if (alert.isSettled || (state.judgedAt ?? -Infinity) >= alert.from) return state.isIn ?? false
    return asksBefore(state, alert) ? wasIn(alert) : isIn
  }
  const trigger = isIn ? "entered_segment" : "left_segment"
  const told = isSilent
    ? []
    : alerts.filter((alert) => alert.trigger === trigger && before(alert) !== isIn)
  return { subject, told, record: recordOf(state, isIn, waiting) }
}

/**
 * While an alert waits, everyone who is active gets a record, so that what they do next in the same session is compared
 * with it.
 */
const recordOf = (
  state: State,
  isIn: boolean,
  waiting: ReadonlyArray<Alert>,
): boolean | null | undefined => {
  const isDue = waiting.some(
    ({ from }) => state.seenAt >= from - sessionGap && (state.judgedAt ?? -Infinity) < from,
  )
  if (isDue) return isIn
  if (isIn) return state.isIn === true ? undefined : true
  if (state.isIn === null) return undefined
  if (waiting.length === 0) return null
  return state.isIn ? false : undefined
}
