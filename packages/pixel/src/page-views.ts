/**
 * Decides what is a page view and records it (spec 6.2): the path must differ from the last
 * one, in `hash` mode the path inside the hash. A change of the query alone is none.
 */
import { guard } from "./guard.ts"
import { ADDRESS_LENGTH_MAX, TITLE_DELAY_MS } from "./limits.ts"
import { pagePath, takeLinkToken } from "./page-address.ts"
import { adoptCopies, record, stop } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { isAnonymous } from "./settings.ts"
import { clip } from "./text.ts"
import { isRefused, lastPage, visit } from "./visitor.ts"

let path: string | undefined

export const recordPage = (props?: unknown): void => {
  path = pagePath()
  const event = record("page", {
    // A page of the same site is not a referrer, so only the first view has one: origin and path.
    referrer: clip(lastPage ? "" : document.referrer.replace(/[?#].*/, ""), ADDRESS_LENGTH_MAX),
    title: clip(document.title),
    props: pickScalars(props),
  })
  if (event) {
    const linkToken = takeLinkToken()
    if (!isAnonymous) event["linkToken"] = linkToken
    visit(event)
    setTimeout(
      guard(() => {
        // After a quick second navigation the title belongs to the later page.
        if (event === lastPage) event["title"] = clip(document.title)
        adoptCopies()
        // Only now it is known that the visitor has refused, on an earlier page.
        if (isRefused()) stop()
      }),
      TITLE_DELAY_MS,
    )
  }
}

/** Records a page view if the path is another one than the last. */
export const recordMove = (): void => {
  if (pagePath() !== path) recordPage()
}

/** Records the page the visitor is on, as soon as it is shown, unless it is recorded already. */
export const recordFirst = (): void => {
  if (!lastPage && !document.hidden) recordPage()
}
