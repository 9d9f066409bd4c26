/**
 * Movements inside the page that may be page views (spec 6.2): `pushState` and
 * `replaceState` are wrapped and called through, `popstate` is heard, `hashchange` in `hash` mode
 * only, and a page that comes back from the back-forward cache. Nothing of this with `spa: off`.
 *
 * Promises that the page's own calls return and throw what they always did.
 */
import { guard, on } from "./guard.ts"
import { isHashMode } from "./page-address.ts"
import { recordMove, recordPage } from "./page-views.ts"
import { spa } from "./settings.ts"

const wrap = guard((name: "pushState" | "replaceState") => {
  const original = history[name]
  // Passes on exactly what came, also a missing last argument.
  history[name] = (...values) => {
    const result = original.apply(history, values)
    guard(recordMove)()
    return result
  }
})

export const watchNavigation = (): void => {
  if (HAS_OPTIONS && spa === "off") return
  wrap("pushState")
  wrap("replaceState")
  on("popstate", recordMove)
  if (isHashMode()) on("hashchange", recordMove)
  on("pageshow", (event: PageTransitionEvent) => event.persisted && recordPage())
}
