/**
 * What a page can ask one pixel to do (decisions.md 6.7).
 *
 * A command may throw on a wrong argument; `api.ts` stands between it and the page.
 */
import { newEvent } from "./event.ts"
import { identityOf } from "./identity.ts"
import { recordPage, TITLE_DELAY_MS } from "./page-views.ts"
import { enqueue, flush } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { clip, NAME_LENGTH_MAX } from "./text.ts"
import { resetVisitorId, visitorId } from "./visitor-id.ts"

/** A command takes what the page passes and trusts none of it. */
export type Command = (first?: unknown, second?: unknown) => unknown

let lastIdentity: string | undefined

export const commands: { readonly [name: string]: Command } = {
  page: recordPage,
  identify: (subject, traits) => {
    // Any object reads as one whose members are unknown.
    const fields = identityOf(subject as object | null, traits as object | null)
    const identity = JSON.stringify(fields)
    if (!visitorId || identity === lastIdentity) return
    lastIdentity = identity
    enqueue(newEvent("identify", fields))
    // At once, but for the title of a page view that came with it.
    setTimeout(flush, TITLE_DELAY_MS)
  },
  track: (given, props) => {
    const name = clip(("" + given).trim(), NAME_LENGTH_MAX)
    if (!name) throw "track: no name"
    enqueue(newEvent("track", { name, props: pickScalars(props) }))
  },
  reset: () => {
    // What happened before belongs to the old id.
    flush()
    lastIdentity = undefined
    resetVisitorId()
  },
  ready: (callback) => {
    // A task of its own, so that an error in it is the page's, reported as such.
    setTimeout(callback as () => void)
  },
  getVisitorId: () => visitorId,
}
