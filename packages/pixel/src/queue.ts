/**
 * Events wait here and leave in one batch: 5 seconds after the first one, as soon as a batch is
 * full, and at every `flush` (decisions.md 6.3).
 *
 * A batch that was not taken is tried once more 5 seconds later, then given up; so a server that is
 * down costs the page neither memory nor a storm of requests.
 */
import { batchContext } from "./context.ts"
import { timestamp } from "./event.ts"
import type { PixelEvent } from "./event.ts"
import { post } from "./transport.ts"

const EVENTS_MAX = 20
/** In UTF-16 units. A full batch and one more event stay below the 64 KiB the server takes. */
const LENGTH_FULL = 8000
const WAIT_MS = 5000

let waiting: PixelEvent[] = []
let length = 0
let timer: ReturnType<typeof setTimeout> | undefined

// Without arrays inside, `JSON.stringify` is safe from old libraries that give Array a `toJSON`.
const send = (context: object, events: string, isRetry?: boolean) => {
  const head = JSON.stringify(Object.assign({ v: 1, sentAt: timestamp() }, context))
  post(head.slice(0, -1) + ',"events":[' + events + "]}").catch(() => {
    if (!isRetry) setTimeout(send, WAIT_MS, context, events, true)
  })
}

export const flush = (): void => {
  let events = ""
  for (let index = 0; index < waiting.length; index++) {
    events += (events && ",") + JSON.stringify(waiting[index])
  }
  clearTimeout(timer)
  timer = undefined
  waiting = []
  length = 0
  if (events) send(batchContext(), events)
}

export const enqueue = (event: PixelEvent): void => {
  waiting[waiting.length] = event
  length += JSON.stringify(event).length
  if (waiting.length >= EVENTS_MAX || length > LENGTH_FULL) flush()
  else timer = timer || setTimeout(flush, WAIT_MS)
}
