/**
 * Decides what is a page view and records it (decisions.md 6.2): the path must differ from the last
 * one, in `hash` mode the path inside the hash. A change of the query alone is none.
 */
import type { PixelEvent } from "./event.ts"
import { guard } from "./guard.ts"
import { TITLE_DELAY_MS } from "./limits.ts"
import { pagePath, plainAddress, takeLinkToken } from "./page-address.ts"
import { isAnonymous, isShown } from "./privacy.ts"
import { record, resume } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { clip } from "./text.ts"

let path: string | undefined
let last: PixelEvent | undefined

export const recordPage = (props?: unknown): void => {
  path = pagePath()
  if (!last) resume()
  const event = record("page", {
    // A page of the own site is no referrer, so only the first view has one.
    referrer: plainAddress(last ? "" : document.referrer),
    props: pickScalars(props),
  })
  if (event) {
    const readTitle = () => {
      // After a quick second navigation the title belongs to the later page.
      if (event === last) event["title"] = clip(document.title)
    }
    const linkToken = guard(takeLinkToken)()
    if (!isAnonymous()) event["linkToken"] = linkToken
    last = event
    readTitle()
    setTimeout(readTitle, TITLE_DELAY_MS)
  }
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
