/**
 * Movements inside the page that may be page views (decisions.md 6.2): `pushState` and
 * `replaceState` are wrapped and called through, `popstate` is heard, `hashchange` in `hash` mode
 * only, and a page that comes back from the back-forward cache. Nothing of this with `spa: off`.
 *
 * Promises that the page's own calls return and throw what they always did.
 */
import { guard } from "./guard.ts"
import { recordMove, recordPage } from "./page-views.ts"
import { isHashMode } from "./page-address.ts"
import { spa } from "./settings.ts"

const moved = guard(recordMove)

const wrap = guard((name: "pushState" | "replaceState") => {
  const original = history[name]
  history[name] = function () {
    // `arguments` passes on exactly what came, also a missing last argument.
    const result = original.apply(history, arguments as unknown as Parameters<typeof original>)
    moved()
    return result
  }
})

export const watchNavigation = (): void => {
  if (spa === "off") return
  wrap("pushState")
  wrap("replaceState")
  addEventListener("popstate", moved)
  if (HAS_HASH && isHashMode()) addEventListener("hashchange", moved)
  addEventListener(
    "pageshow",
    guard((event: PageTransitionEvent) => {
      if (event.persisted) recordPage()
    }),
  )
}
