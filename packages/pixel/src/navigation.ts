/**
 * Detects navigation inside the page that may be a page view (spec 6.2). It wraps `pushState` and `replaceState` and
 * calls the originals, and listens to `popstate`, to `hashchange` in `hash` mode only, to the Navigation API where the
 * browser has it, and to pages restored from the back-forward cache. With `spa: off` it does nothing.
 *
 * The page's own calls return and throw exactly as before.
 */
import { guard, on } from "./guard.ts"
import { isHashMode } from "./page-address.ts"
import { recordMove, recordPage } from "./page-views.ts"
import { spa } from "./settings.ts"

const wrap = guard((name: "pushState" | "replaceState") => {
  const original = history[name]
  // Passes on the exact arguments, even if the last one is missing.
  history[name] = (...values) => {
    const result = original.apply(history, values)
    recordMove()
    return result
  }
})

export const watchNavigation = (): void => {
  if (HAS_OPTIONS && spa === "off") return
  wrap("pushState")
  wrap("replaceState")
  on("popstate", recordMove)
  // The page may have navigated in the background.
  on("visibilitychange", recordMove)
  if (isHashMode()) on("hashchange", recordMove)
  on("pageshow", (event: PageTransitionEvent) => event.persisted && recordPage())
  // A router that intercepts a navigation changes the address without a call. Fails if the page has a variable of this
  // name, so it's the last thing that the script does at startup.
  if (window.navigation) navigation.addEventListener("currententrychange", recordMove)
}
