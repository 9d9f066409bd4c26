/**
 * Decides what is a page view and records it (spec 6.2). The path must differ from the last one, or in `hash` mode the
 * path inside the hash. A change of only the query doesn't count. A page in the background counts when it is shown.
 */
import { guard } from "./guard.ts"
import { ADDRESS_LENGTH_MAX, TITLE_DELAY_MS } from "./limits.ts"
import { routePath, takeLinkToken } from "./page-address.ts"
import { adoptCopies, record, stop } from "./queue.ts"
import { pickScalars } from "./scalars.ts"
import { clip } from "./text.ts"
import { isRefused, lastPage, visit } from "./visitor.ts"

let path: string | undefined

export const recordPage = (props?: unknown): void => {
  // Prerendered, or opened in a background tab.
  if (!lastPage && document.hidden) return
  // A router's home route is the page that was opened without a route.
  path = HAS_HASH ? routePath() || "/" : routePath()
  const event = record("page", {
    // A page of the same site isn't a referrer, so only the first view has one: origin and path.
    referrer: lastPage ? "" : clip(document.referrer.replace(/[?#].*/, ""), ADDRESS_LENGTH_MAX),
    title: clip(document.title),
    props: pickScalars(props),
  })
  if (event) {
    event["linkToken"] = takeLinkToken()
    visit(event)
    setTimeout(
      guard(() => {
        // After a quick second navigation the title belongs to the later page.
        if (event === lastPage) event["title"] = clip(document.title)
        adoptCopies()
        // Only now is it known whether the visitor refused on an earlier page.
        if (isRefused()) stop()
      }),
      TITLE_DELAY_MS,
    )
  }
}

/** Records a page view if the path differs from the last one. Another part of the same page is none. */
export const recordMove = guard((): void => {
  if (!document.hidden && (!HAS_HASH || routePath()) && routePath() !== path) recordPage()
})

/** Records the current page unless it's already recorded. */
export const recordFirst = (): void => {
  if (!lastPage) recordPage()
}
