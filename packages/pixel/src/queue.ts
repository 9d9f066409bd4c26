/**
 * Events wait here and leave in batches: 5 seconds after the first one, as soon as a batch is full, and
 * when the page is hidden (decisions.md 6.3). Nothing leaves before `openVisitor` allows it; until then
 * at most one batch of events is held, in memory alone.
 *
 * A batch that was not taken is tried again at once (within a second), which is the one retry of
 * decisions.md 6.3, and from then on within 2, 4, … 256 seconds, and not before `Retry-After` up to an hour; as soon as
 * the network is back, and on the next page of the site. For that a copy is in local storage from the
 * moment the batch is closed, where an id may be, for at most a day; the ids of events make repeats
 * harmless. What cannot be delivered takes about 64 Ki characters, here and there; a batch beyond
 * that has one try.
 */
import { batchContext } from "./context.ts"
import type { PixelEvent } from "./event.ts"
import { guard } from "./guard.ts"
import {
  BATCH_LENGTH_FULL,
  BATCH_WAIT_MS,
  COPY_LIFETIME_MS,
  DOUBLINGS_MAX,
  EVENTS_PER_BATCH_MAX,
  RETRY_AFTER_SECONDS_MAX,
  UNDELIVERED_LENGTH_MAX,
} from "./limits.ts"
import { countsPage, isStored, pixelId } from "./settings.ts"
import { post } from "./transport.ts"
import { isRefused, openVisitor, visitorId } from "./visitor.ts"

let waiting: PixelEvent[] = []
let length = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** What is not delivered, without the end of a batch, by the names of the copies. */
let batches: { [name: string]: string } = Object.create(null)
let underWay: { [name: string]: boolean } = Object.create(null)
let failures = 0
let pause: ReturnType<typeof setTimeout> | undefined

const isFull = () => waiting.length >= EVENTS_PER_BATCH_MAX || length > BATCH_LENGTH_FULL

/** Where an id may be kept, events may. */
const maySave = () => isStored && visitorId

/** Of the copies of this pixel's batches; the rest of a name is the time of its closing. */
const prefix = () => "footfall_" + pixelId + "_"

const drop = (name: string) => {
  delete batches[name]
  guard(() => delete localStorage[name])()
}

/** Takes over the copies of other pages, gone or not: ids make repeats harmless. */
const adopt = guard(() => {
  for (const name in localStorage) {
    const time = name.split(prefix())[1]
    if (!time) continue
    if (maySave() && Date.now() - parseInt(time) < COPY_LIFETIME_MS)
      batches[name] = localStorage[name] as string
    else drop(name)
  }
})

const send = async (name: string) => {
  underWay[name] = true
  const seconds = await post(batches[name] as string)
  guard(() => {
    delete underWay[name]
    if (seconds === undefined) {
      failures = 0
      drop(name)
    } else if (!pause) {
      const waitSeconds =
        Math.min(seconds, RETRY_AFTER_SECONDS_MAX) +
        Math.random() * 2 ** Math.min(failures++, DOUBLINGS_MAX)
      pause = setTimeout(resume, waitSeconds * 1000)
    }
  })()
}

const sendAll = () => {
  for (const name in batches) if (!underWay[name]) void send(name)
}

const close = () => {
  let events = ""
  // Without arrays inside, `JSON.stringify` is safe from old libraries that give Array a `toJSON`.
  for (let index = 0; index < waiting.length; index++) {
    events += (events && ",") + JSON.stringify(waiting[index])
  }
  waiting = []
  length = 0
  if (!events) return
  const batch = JSON.stringify(batchContext()).slice(0, -1) + ',"events":[' + events + "]"
  const name = prefix() + Date.now() + "_" + Math.random()
  if (JSON.stringify(batches).length > UNDELIVERED_LENGTH_MAX) {
    if (!pause) void post(batch)
  } else {
    batches[name] = batch
    if (maySave()) guard(() => (localStorage[name] = batch))()
  }
}

/** Closes the batch and sends it. `isLast`: the page may be about to go. */
export const flush = guard((isLast?: unknown) => {
  clearTimeout(timer)
  timer = undefined
  // While the server is left alone, events wait for it in few batches.
  if ((pause && !isLast && !isFull()) || !openVisitor()) return
  close()
  // What has a copy, the next page sends.
  if (!pause || (isLast && !maySave())) sendAll()
})

/** Sends all there is, what other pages left too, whatever the pause. */
export const resume = guard(() => {
  clearTimeout(pause)
  pause = undefined
  if (openVisitor()) adopt()
  flush(true)
})

/** Forgets what is not delivered, here and in the copies. */
export const forgetEvents = (): void => {
  waiting = []
  length = 0
  adopt()
  for (const name in batches) drop(name)
}

/** Whether the page the browser is on may be recorded at all. */
export const isRecorded = (): boolean => !isRefused() && countsPage()

/** False: it is not recorded, because it must not be, or too much waits already. */
export const enqueue = (event: PixelEvent): boolean => {
  if (!isRecorded() || isFull()) return false
  waiting[waiting.length] = event
  length += JSON.stringify(event).length
  if (isFull()) flush()
  else timer = timer || setTimeout(flush, BATCH_WAIT_MS)
  return true
}
