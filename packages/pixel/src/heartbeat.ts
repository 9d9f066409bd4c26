/**
 * Tells after every 30 seconds for which the page was visible that it was (decisions.md 6.3).
 *
 * Time is counted in steps of 5 seconds, so neither the background nor a sleeping machine counts.
 */
import { newEvent } from "./event.ts"
import { guard } from "./guard.ts"
import { HEARTBEAT_SECONDS, HEARTBEAT_STEP_SECONDS } from "./limits.ts"
import { isShown } from "./privacy.ts"
import { enqueue } from "./queue.ts"
import { visitorId } from "./visitor.ts"

let activeSeconds = 0

const step = guard(() => {
  // Of a browser without an id no session is kept, so there is no time to measure.
  if (!isShown() || !visitorId) return
  activeSeconds += HEARTBEAT_STEP_SECONDS
  if (activeSeconds < HEARTBEAT_SECONDS) return
  enqueue(newEvent("heartbeat", { activeSeconds }))
  activeSeconds = 0
})

export const watchActivity = (): void => {
  setInterval(step, HEARTBEAT_STEP_SECONDS * 1000)
}
