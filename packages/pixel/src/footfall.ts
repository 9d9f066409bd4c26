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
import { watchConsent } from "./consent-signals.ts"
import { watchForms } from "./email-capture.ts"
import { guard } from "./guard.ts"
import { watchActivity } from "./heartbeat.ts"
import { watchNavigation } from "./navigation.ts"
import { recordFirst } from "./page-views.ts"
import { flush, resume } from "./queue.ts"
import { needsConsent, pixelId, readSettings } from "./settings.ts"

guard(() => {
  if (!readSettings()) return
  // A property of `window` that no type declares: the guard against a double load of one pixel.
  const globals = window as unknown as { [loaded: string]: unknown }
  const loaded = "footfall " + pixelId
  if (globals[loaded]) return
  globals[loaded] = true

  recordFirst()
  publish()
  if (HAS_CONSENT && needsConsent) watchConsent()
  if (HAS_CAPTURE) watchForms()
  watchNavigation()
  watchActivity()
  addEventListener("online", resume)
  addEventListener("pagehide", flush)
  // Comes after `pagehide` too, and so takes along what the page tracked while it was left.
  document.addEventListener(
    "visibilitychange",
    guard((event) => {
      recordFirst()
      flush(event)
    }),
  )
})()
