/**
 * Tells after every 30 seconds for which the page was visible that it was (decisions.md 6.3).
 *
 * Time is counted in steps of 5 seconds, so neither the background nor a sleeping machine counts.
 */
import { newEvent } from "./event.ts"
import { guard } from "./guard.ts"
import { enqueue } from "./queue.ts"
import { visitorId } from "./visitor.ts"

const STEP_SECONDS = 5
const HEARTBEAT_SECONDS = 30

let activeSeconds = 0

const step = guard(() => {
  // Of a browser without an id no session is kept, so there is no time to measure.
  if (document.visibilityState !== "visible" || !visitorId) return
  activeSeconds += STEP_SECONDS
  if (activeSeconds < HEARTBEAT_SECONDS) return
  enqueue(newEvent("heartbeat", { activeSeconds }))
  activeSeconds = 0
})

export const watchActivity = (): void => {
  setInterval(step, STEP_SECONDS * 1000)
}
