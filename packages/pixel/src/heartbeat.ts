/**
 * Tells after every 30 seconds for which the page was visible that it was (spec 6.3).
 *
 * Time is counted in steps of 5 seconds, so neither the background nor a sleeping machine counts.
 */
import { guard } from "./guard.ts"
import { HEARTBEAT_SECONDS, HEARTBEAT_STEPS } from "./limits.ts"
import { record } from "./queue.ts"
import { visitorId } from "./visitor.ts"

let steps = 0

const step = () => {
  // A browser without an id has no session, so there is no time to measure.
  if (!document.hidden && visitorId && !(++steps % HEARTBEAT_STEPS))
    record("heartbeat", { activeSeconds: HEARTBEAT_SECONDS })
}

export const watchActivity = (): void => {
  setInterval(guard(step), (HEARTBEAT_SECONDS / HEARTBEAT_STEPS) * 1000)
}
