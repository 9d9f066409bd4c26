/**
 * Queues events and sends them in batches: 5 seconds after the first event, as soon as someone is identified, when a
 * batch is full, and when the page is hidden (spec 6.3). Nothing is sent before `openVisitor` allows it. Until then at
 * most one batch of events is held, in memory only.
 *
 * A failed batch is retried within a second, then within 2, 4, … seconds, not before `Retry-After`, and after an hour
 * at the latest (spec 6.3.4), one batch at a time. It is also retried when the network returns and on the next page of
 * the site. For that, if an id may be stored, local storage keeps a copy from the moment the batch closes, for at most
 * a day. Event ids make duplicates harmless. Undelivered batches take up to about 64 Ki characters, both in memory and
 * in storage. A batch beyond that gets one try.
 *
 * Each POST outlives the page and is `text/plain`, so it needs no preflight. It uses `fetch` with `keepalive`, or
 * `sendBeacon` in browsers without that, or plain `fetch` if the beacon is rejected. It sends no credentials (a beacon
 * has no option for that, but the collect URL sets and reads no cookie). It never rejects, even if the page replaced
 * promises, because it only uses `await`.
 */
import { newEvent, type PixelEvent } from "./event.ts"
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
import { countsPage } from "./page-address.ts"
import { attribution, isAnonymous, isGranted, isStored, timeZone } from "./settings.ts"
import { load, store } from "./storage.ts"
import { address, isDebug, namePrefix } from "./tag.ts"
import { choice, forget, isRefused, lastPage, openVisitor, visitorId } from "./visitor.ts"
import { newUuid } from "./uuid.ts"

/**
 * A batch without its end (spec 6.3), fixed when it closes, so that a later `reset` doesn't change earlier events.
 * `gpc` and `dnt` come from the request headers, and `consent` reflects their effect.
 */
const batchOf = (events: ArrayLike<PixelEvent>): string =>
  JSON.stringify({
    v: 1,
    anonymousId: visitorId,
    consent: isAnonymous
      ? "anonymous"
      : !HAS_CONSENT || isGranted || choice === "granted"
        ? "granted"
        : "implied",
    debug: isDebug,
    ...(HAS_CONSENT ? { timeZone } : {}),
    attribution,
    events,
  }).slice(0, -1)

/** Timer of the batch or, during a pause, of the pause. */
let timer: ReturnType<typeof setTimeout> | undefined | void
let isPaused: 0 | 1 | undefined
let failures = 0

/** Queued events. Some libraries give arrays a `toJSON`; this one overrides it. */
let waiting: PixelEvent[] & { toJSON?: undefined | 0 }
const clear = () => {
  waiting = []
  waiting.toJSON = 0
}
clear()

/** Undelivered batches, without their end, in the same format and under the same names as their stored copies. */
let batches: { [name: string]: string } = Object.create(null)
const inFlight: { [name: string]: 0 | 1 } = {}

/** A page that no one has seen yet keeps room for its page view. */
const isFull = () =>
  waiting[EVENTS_PER_BATCH_MAX - (lastPage ? 1 : 2)] ||
  JSON.stringify(waiting).length > BATCH_LENGTH_FULL

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

const send = async (name: string, batch: string) => {
  let isAccepted: boolean | undefined
  let wait: string | null | undefined
  inFlight[name] = 1 // own keys: names that begin with the pixel's id.
  try {
    const body = batch.slice(MOMENT_DIGITS) + `,"sentAt":"${new Date().toISOString()}"}`
    isAccepted = !("keepalive" in Request.prototype) && navigator.sendBeacon(address + "/e", body)
    if (!isAccepted) {
      const answer = await fetch(address + "/e", {
        method: "POST",
        body,
        keepalive: true,
        credentials: "omit",
      })
      isAccepted = answer.status < 500 && answer.status !== 429
      wait = answer.headers.get("retry-after")
    }
  } catch {
    // No network, a blocker, or a page without `fetch`.
  }
  inFlight[name] = 0 // own keys: likewise.
  if (isAccepted) {
    failures = 0
    drop(name)
    sendNext()
  } else if (!isPaused) {
    isPaused = 1
    // If the header is a date instead of seconds, this isn't a number, and the wait is as for any other retry.
    const seconds = (+(wait as string) || 0) + Math.random() * 2 ** failures++
    timer = setTimeout(resume, Math.min(seconds, PAUSE_SECONDS_MAX) * 1000)
  }
}

/** Sends the oldest undelivered batch, and the next one once it is accepted, so a server that fails gets one at a time. */
const sendNext = () => {
  for (const name in batches) {
    // own keys: likewise.
    if (!isPaused && !inFlight[name]) return void send(name, batches[name] as string)
  }
}

/**
 * Takes over the copies of other pages, open or closed, and sends them: a page that was left at once never learned
 * whether its events arrived. Event ids make duplicates harmless.
 */
export const adoptCopies = (): void => {
  if (openVisitor()) {
    adopt()
    sendNext()
  }
}

/** Closes the batch and sends it. */
export const flush = guard(() => {
  if (!isPaused) timer = clearTimeout(timer as never)
  if (openVisitor() && waiting[0]) {
    const name = namePrefix + newUuid()
    const batch = Date.now() + COPY_LIFETIME_MS + batchOf(waiting)
    clear()
    if (JSON.stringify(batches).length <= UNDELIVERED_LENGTH_MAX) {
      batches[name] = batch // own keys: likewise.
      if (isStored && visitorId) store(name, batch)
    }
    if (!isPaused) void send(name, batch)
  }
})

/** Sends everything now, including what other pages left, even during a pause. */
export const resume = guard(() => {
  isPaused = 0
  adoptCopies()
  flush()
})

/** Ends the visit and drops undelivered batches, in memory and in storage. */
export const stop = (): void => {
  forget()
  clear()
  adopt()
  batches = Object.create(null)
}

/** Undefined if it isn't recorded, because it isn't allowed or too much is waiting already. */
export const record = (type: string, fields: object): PixelEvent | undefined => {
  if (isFull()) flush()
  const isFirst = !lastPage && type === "page"
  if (isRefused() || !countsPage() || (!isFirst && isFull())) return undefined
  timer = timer || setTimeout(flush, BATCH_WAIT_MS)
  const event = (waiting[waiting.length] = newEvent(type, fields))
  // What the page did before it was shown belongs to the visit that starts now.
  if (isFirst) {
    for (let index = 0; index < waiting.length; index++)
      (waiting[index] as PixelEvent)["time"] = event["time"]
  }
  return event
}
