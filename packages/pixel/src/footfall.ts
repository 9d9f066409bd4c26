/**
 * The Footfall browser script: counts page views, takes commands, sends events to the server it
 * came from. Never throws into the page; stores one first-party id (decisions.md 6).
 *
 * Contract with the server: the built file names `__FOOTFALL_SETTINGS__` exactly once, as a value.
 * The server replaces that word by a JSON object, `{"id": "<pixel id>", …}` with the settings of
 * decisions.md 2.4, and serves the result as `…/p/<pixel id>.js`. Each load of the file is one pixel,
 * so its modules hold the state of that pixel.
 */
import { publish } from "./api.ts"
import { guard } from "./guard.ts"
import { watchActivity } from "./heartbeat.ts"
import { watchNavigation } from "./navigation.ts"
import { recordPage } from "./page-views.ts"
import { flush } from "./queue.ts"
import { pixelId, readSettings } from "./settings.ts"
import { openVisitorId, visitorId } from "./visitor-id.ts"

const start = guard(() => {
  // A property of `window` that no type declares: the guard against a double load of one pixel.
  const globals = window as unknown as { [loaded: string]: unknown }
  const loaded = "footfall " + pixelId
  if (globals[loaded]) return
  globals[loaded] = true

  openVisitorId()
  recordPage()
  publish()
  watchNavigation()
  // Of a browser without an id no session is kept, so there is no time to measure.
  if (visitorId) watchActivity()
  addEventListener("pagehide", guard(flush))
  // Comes after `pagehide` too, and so takes along what the page tracked while it was left.
  document.addEventListener("visibilitychange", guard(flush))
})

guard(() => {
  readSettings()
  // A prerendered page is no visit until someone looks at it (decisions.md 6.2).
  if ((document as { prerendering?: unknown }).prerendering) {
    document.addEventListener("prerenderingchange", start)
  } else start()
})()
