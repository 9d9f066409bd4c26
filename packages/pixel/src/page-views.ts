/**
 * Decides what is a page view and records it (decisions.md 6.2): the path must differ from the last
 * one, in `hash` mode the path inside the hash. A change of the query alone is none.
 */
import { newEvent } from "./event.ts"
import type { PixelEvent } from "./event.ts"
import { TITLE_DELAY_MS } from "./limits.ts"
import { isAnonymous, isShown } from "./privacy.ts"
import { pagePath, referrerAddress, takeLinkToken } from "./page-address.ts"
import { enqueue, isRecorded, resume } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { clip } from "./text.ts"
import { guard } from "./guard.ts"

let path: string | undefined
let last: PixelEvent | undefined

const title = () => clip(document.title) || null

export const recordPage = (props?: unknown): void => {
  path = pagePath()
  if (!isRecorded()) return
  const linkToken = guard(takeLinkToken)()
  const event = newEvent("page", {
    // Of the first page its referrer, of each later one the page before.
    referrer: referrerAddress(last ? "" + last["url"] : document.referrer),
    title: title(),
    linkToken: isAnonymous() ? undefined : linkToken,
    props: pickScalars(props),
  })
  if (!last) resume()
  if (!enqueue(event)) return
  last = event
  setTimeout(() => {
    // After a quick second navigation the title belongs to the later page.
    if (event === last) event["title"] = title()
  }, TITLE_DELAY_MS)
}

/** Records a page view if the path is another one than the last. */
export const recordMove = (): void => {
  if (pagePath() !== path) recordPage()
}

/** Records the page the visitor is on, as soon as it is shown, unless it is recorded already. */
export const recordFirst = (): void => {
  if (!last && isShown()) recordPage()
}

/** The page is to be recorded anew. */
export const forgetPage = (): void => {
  last = undefined
}
