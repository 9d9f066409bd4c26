/**
 * Sends an event after every 30 seconds of visible time (spec 6.3).
 *
 * It counts in steps of 5 seconds, so time in the background or asleep doesn't count.
 */
import { guard } from "./guard.ts"
import { HEARTBEAT_SECONDS, HEARTBEAT_STEPS } from "./limits.ts"
import { record } from "./queue.ts"
import { visitorId } from "./visitor.ts"

let steps = 0

const step = () => {
  // A browser without an id has no session, so there's no time to measure.
  if (visitorId && !document.hidden && !(++steps % HEARTBEAT_STEPS))
    record("heartbeat", { activeSeconds: HEARTBEAT_SECONDS })
}

export const watchActivity = (): void => {
  setInterval(guard(step), (HEARTBEAT_SECONDS / HEARTBEAT_STEPS) * 1000)
}
