/**
 * Events wait here and leave in batches: 5 seconds after the first one, as soon as someone is
 * identified, when a batch is full, and when the page is hidden (spec 6.3). Nothing leaves before `openVisitor` allows it; until then at
 * most one batch of events is held, in memory alone.
 *
 * A batch that was not taken is tried again at once (within a second), which is the one retry of
 * spec 6.3, and from then on within 2, 4, … seconds and not before `Retry-After`, but after an
 * hour at the latest; as soon as the network is back, and on the next page of the site. For that a copy
 * is in local storage from the moment the batch is closed, where an id may be, for at most a day; the
 * ids of events make repeats harmless. What cannot be delivered takes about 64 Ki characters, here and
 * there; a batch beyond that has one try.
 *
 * One POST outlives the page and is `text/plain`, so that no preflight is needed: `fetch` with
 * `keepalive`; where a browser has not got that, `sendBeacon`, and plain `fetch` for what a beacon does
 * not take. Sends no credentials (a beacon has no option for it; the collect address sets and reads no
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
  MOMENT_DIGITS,
  PAUSE_SECONDS_MAX,
  UNDELIVERED_LENGTH_MAX,
} from "./limits.ts"
import { countsPage, isStored } from "./settings.ts"
import { load, store } from "./storage.ts"
import { address, namePrefix } from "./tag.ts"
import { forget, isRefused, openVisitor, visitorId } from "./visitor.ts"
import { newUuid } from "./uuid.ts"

/** Of the batch, or, while the server is left alone, of that pause. */
let timer: ReturnType<typeof setTimeout> | undefined | void
let isPaused: 0 | 1 | undefined
let failures = 0

/** What waits. Libraries that give arrays a `toJSON` have none for this one. */
let waiting: PixelEvent[] & { toJSON?: undefined | 0 }
const clear = () => {
  waiting = []
  waiting.toJSON = 0
}
clear()

/** What is not delivered, without the end of a batch, by the names of the copies and as these are. */
let batches: { [name: string]: string } = Object.create(null)
const underWay: { [name: string]: 0 | 1 } = {}

const isFull = () =>
  waiting[EVENTS_PER_BATCH_MAX - 1] || JSON.stringify(waiting).length > BATCH_LENGTH_FULL

const drop = (name: string) => {
  delete batches[name] // own keys: `batches` has no prototype.
  store(name)
}

const adopt = guard(() => {
  for (const name in localStorage) {
    if (name.startsWith(namePrefix)) {
      // own keys: likewise.
      if (!(batches[name] = (isStored && visitorId && load(name)) as string)) drop(name)
    }
  }
})

/** Takes over the copies of other pages, gone or not: ids make repeats harmless. */
export const adoptCopies = (): void => {
  if (openVisitor()) adopt()
}

const send = async (name: string, batch: string) => {
  let isTaken: boolean | undefined
  let wait: string | null | undefined
  underWay[name] = 1 // own keys: names that begin with the pixel's id.
  try {
    const body = batch.slice(MOMENT_DIGITS) + `,"sentAt":"${timestamp()}"}`
    isTaken = !("keepalive" in Request.prototype) && navigator.sendBeacon(address + "/e", body)
    if (!isTaken) {
      const answer = await fetch(address + "/e", {
        method: "POST",
        body,
        keepalive: true,
        credentials: "omit",
      })
      isTaken = answer.status < 500 && answer.status !== 429
      wait = answer.headers.get("retry-after")
    }
  } catch {
    // No network, a blocker, or a page without `fetch`.
  }
  underWay[name] = 0 // own keys: likewise.
  if (isTaken) {
    failures = 0
    drop(name)
  } else if (!isPaused) {
    isPaused = 1
    // A date instead of seconds is not a number, and waits no longer than any other retry.
    const seconds = (+(wait as string) || 0) + Math.random() * 2 ** failures++
    timer = setTimeout(resume, Math.min(seconds, PAUSE_SECONDS_MAX) * 1000)
  }
}

/** Closes the batch and sends it. */
export const flush = guard(() => {
  if (!isPaused) timer = clearTimeout(timer as never)
  if (openVisitor()) {
    if (waiting[0]) {
      const name = namePrefix + newUuid()
      const batch = Date.now() + COPY_LIFETIME_MS + batchOf(waiting)
      clear()
      if (JSON.stringify(batches).length > UNDELIVERED_LENGTH_MAX) {
        if (!isPaused) void send(name, batch)
      } else {
        batches[name] = batch // own keys: likewise.
        if (isStored && visitorId) store(name, batch)
      }
    }
    if (!isPaused) {
      // own keys: likewise.
      for (const name in batches) if (!underWay[name]) void send(name, batches[name] as string)
    }
  }
})

/** Sends all there is, what other pages left too, whatever the pause. */
export const resume = guard(() => {
  isPaused = 0
  adoptCopies()
  flush()
})

/** Forgets the visit and what is not delivered, here and in the copies. */
export const stop = (): void => {
  forget()
  clear()
  adopt()
  batches = Object.create(null)
}

/** Undefined: it is not recorded, because it must not be, or too much waits already. */
export const record = (type: string, fields: object): PixelEvent | undefined => {
  if (isFull()) flush()
  if (isRefused() || !countsPage() || isFull()) return undefined
  timer = timer || setTimeout(flush, BATCH_WAIT_MS)
  return (waiting[waiting.length] = newEvent(type, fields))
}
