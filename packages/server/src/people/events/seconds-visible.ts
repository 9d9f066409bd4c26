// How long each page of a session was visible (spec 5.1.10): the sum of its heartbeats, and at least the time to the next
// page view if that is shorter than a heartbeat. A heartbeat belongs to the last view of its address.
import type { Moment } from "../archive/session-events.ts"

/** How often the pixel reports that a page is visible. */ // spec 6.3.3
const heartbeatMs = 30_000

/** Seconds by the id of the page view, without those of which nothing is known. `moments`: in order of time. */
export const secondsVisible = (moments: ReadonlyArray<Moment>): ReadonlyMap<string, number> => {
  const seconds = new Map<string, number>()
  const untilNext = new Map<string, number>()
  const lastViewOf = new Map<string, string>()
  let lastView: Moment | undefined
  for (const moment of moments) {
    if (moment.seconds === null) {
      if (lastView !== undefined && moment.at - lastView.at < heartbeatMs) {
        untilNext.set(lastView.id, Math.floor((moment.at - lastView.at) / 1_000))
      }
      lastViewOf.set(moment.url, moment.id)
      lastView = moment
    } else {
      const view = lastViewOf.get(moment.url)
      if (view !== undefined) seconds.set(view, (seconds.get(view) ?? 0) + moment.seconds)
    }
  }
  for (const [view, time] of untilNext) seconds.set(view, Math.max(seconds.get(view) ?? 0, time))
  return seconds
}
