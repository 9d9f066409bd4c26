/**
 * Events wait here and leave in batches: 5 seconds after the first one, when a batch is full, and when
 * the page is hidden (decisions.md 6.3). Nothing leaves before `openVisitor` allows it; until then at
 * most one batch of events is held, in memory alone.
 *
 * A batch that was not taken is tried again at once (within a second), which is the one retry of
 * decisions.md 6.3, and from then on within 2, 4, … seconds and not before `Retry-After`, but after an
 * hour at the latest; as soon as the network is back, and on the next page of the site. For that a copy
 * is in local storage from the moment the batch is closed, where an id may be, for at most a day; the
 * ids of events make repeats harmless. What cannot be delivered takes about 64 Ki characters, here and
 * there; a batch beyond that has one try.
 *
 * One POST outlives the page and is `text/plain`, so that no preflight is needed: `fetch` with
 * `keepalive`; where a browser has not got that, `sendBeacon`, and plain `fetch` for what a beacon does
 * not take. Sends no credentials (a beacon cannot be told so; the collect address sets and reads no
 * cookie). Never rejects, whatever the page did to promises: nothing but `await` touches one.
 */
import { batchOf } from "./batch.ts"
import { newEvent, timestamp } from "./event.ts"
import type { PixelEvent } from "./event.ts"
import { guard } from "./guard.ts"
import {
  BATCH_LENGTH_FULL,
  BATCH_WAIT_MS,
  COPY_LIFETIME_MS,
  EVENTS_PER_BATCH_MAX,
  PAUSE_SECONDS_MAX,
  UNDELIVERED_LENGTH_MAX,
} from "./limits.ts"
import { countsPage, endpoint, isStored, pixelId } from "./settings.ts"
import { store } from "./storage.ts"
import { isRefused, openVisitor, visitorId } from "./visitor.ts"

/** Of the batch, or, while the server is left alone, of that pause. */
let timer: ReturnType<typeof setTimeout> | undefined
let isPaused = false
let failures = 0

/** What waits, each event after a comma, as it is now: a title may still come. */
let waiting: () => string
let count: number
const clear = () => {
  waiting = () => ""
  count = 0
}
clear()

/** What is not delivered, without the end of a batch, by the names of the copies. */
let batches: { [name: string]: string } = Object.create(null)
const underWay: { [name: string]: boolean } = {}

const isFull = () => count >= EVENTS_PER_BATCH_MAX || waiting().length > BATCH_LENGTH_FULL

/** Where an id may be kept, events may. */
const maySave = () => isStored && visitorId

/** Of the copies of this pixel's batches; the rest of a name is the time of its closing. */
const prefix = () => "footfall_" + pixelId + "_"

const drop = (name: string) => {
  delete batches[name]
  store(name)
}

/** Takes over the copies of other pages, gone or not: ids make repeats harmless. */
const adopt = guard(() => {
  for (const name in localStorage) {
    const time = name.split(prefix())[1]
    if (time) {
      if (maySave() && Date.now() - parseInt(time) < COPY_LIFETIME_MS)
        batches[name] = localStorage[name] as string
      else drop(name)
    }
  }
})

const send = async (name: string, batch: string) => {
  let isTaken = false
  let seconds = 0
  underWay[name] = true
  try {
    const body = batch + `,"sentAt":"${timestamp()}"}`
    isTaken = !("keepalive" in Request.prototype) && navigator.sendBeacon(endpoint, body)
    if (!isTaken) {
      const { headers, status } = await fetch(endpoint, {
        method: "POST",
        body,
        keepalive: true,
        credentials: "omit",
      })
      isTaken = status !== 429 && status < 500
      // A date in place of seconds is no number, and waits no longer than any other try.
      seconds = +(headers.get("retry-after") as string) || 0
    }
  } catch {
    // No network, a blocker, or a page without `fetch`.
  }
  delete underWay[name]
  if (isTaken) {
    failures = 0
    drop(name)
  } else if (!isPaused) {
    isPaused = true
    timer = setTimeout(
      resume,
      Math.min(seconds + Math.random() * 2 ** failures++, PAUSE_SECONDS_MAX) * 1000,
    )
  }
}

const close = () => {
  const events = waiting().slice(1)
  clear()
  if (events) {
    const batch = batchOf(events)
    if (JSON.stringify(batches).length > UNDELIVERED_LENGTH_MAX) {
      if (!isPaused) void send("", batch)
    } else {
      const name = prefix() + Date.now() + "_" + Math.random()
      batches[name] = batch
      store(name, maySave() && batch)
    }
  }
}

/** Closes the batch and sends it. `isLast`: the page may be about to go. */
export const flush = guard((isLast?: unknown) => {
  if (!isPaused) {
    clearTimeout(timer)
    timer = undefined
  }
  if (openVisitor()) {
    close()
    // What has a copy, the next page sends.
    if (!isPaused || (isLast && !maySave())) {
      for (const name in batches) if (!underWay[name]) void send(name, batches[name] as string)
    }
  }
})

/** Sends all there is, what other pages left too, whatever the pause. */
export const resume = guard(() => {
  isPaused = false
  if (openVisitor()) adopt()
  flush()
})

/** Forgets what is not delivered, here and in the copies. */
export const forgetEvents = (): void => {
  clear()
  adopt()
  batches = Object.create(null)
}

/** Undefined: it is not recorded, because it must not be, or too much waits already. */
export const record = (type: string, fields: object): PixelEvent | undefined => {
  if (isFull()) flush()
  if (isRefused() || !countsPage() || isFull()) return undefined
  const earlier = waiting
  const event = newEvent(type, fields)
  waiting = () => earlier() + "," + JSON.stringify(event)
  count++
  timer = timer || setTimeout(flush, BATCH_WAIT_MS)
  return event
}
