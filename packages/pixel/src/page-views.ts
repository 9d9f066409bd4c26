/**
 * Decides what is a page view and records it (decisions.md 6.2): the path must differ from the last
 * one, in `hash` mode the path inside the hash. A change of the query alone is none.
 */
import { ADDRESS_LENGTH_MAX, newEvent } from "./event.ts"
import type { PixelEvent } from "./event.ts"
import { enqueue } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { spa } from "./settings.ts"
import { clip } from "./text.ts"

/** Frameworks set the title just after they navigate. Source: decisions.md 6.2. */
export const TITLE_DELAY_MS = 50

let path: string | undefined
let last: PixelEvent | undefined

const pathNow = () => (spa === "hash" ? location.hash.replace(/\?.*/, "") : location.pathname)
const title = () => clip(document.title) || null

/** Of the first page its referrer, of each later one the page before: origin and path alone. */
const referrer = () =>
  clip((last ? "" + last["url"] : document.referrer).replace(/[?#].*/, ""), ADDRESS_LENGTH_MAX) ||
  null

export const recordPage = (props?: unknown): void => {
  const event = newEvent("page", {
    referrer: referrer(),
    title: title(),
    props: pickScalars(props),
  })
  path = pathNow()
  last = event
  enqueue(event)
  setTimeout(() => {
    // After a quick second navigation the title belongs to the later page.
    if (event === last) event["title"] = title()
  }, TITLE_DELAY_MS)
}

/** Records a page view if the path is another one than the last. */
export const recordMove = (): void => {
  if (pathNow() !== path) recordPage()
}
