/**
 * Starts the pixel: counts the page, takes commands and listens to page events. Each load of the script is one pixel,
 * so its modules hold the pixel's state.
 *
 * It doesn't read the visitor's choice and id yet, because the first access to cookies and local storage is half of the
 * script's cost at page load. That happens with the title of the first view, or earlier if a command or the end of the
 * page needs them.
 */
import { publish } from "./api.ts"
import { commands } from "./commands.ts"
import { watchConsent } from "./consent-signals.ts"
import { watchForms } from "./email-capture.ts"
import { on } from "./guard.ts"
import { watchActivity } from "./heartbeat.ts"
import { watchNavigation } from "./navigation.ts"
import { recordFirst } from "./page-views.ts"
import { flush, resume } from "./queue.ts"
import { needsConsent } from "./settings.ts"
import { namePrefix } from "./tag.ts"
import { openVisitor } from "./visitor.ts"

/** Only this script's names, which guard against loading twice: see `tag.ts`. */
declare const window: { [loaded: string]: unknown }
window[namePrefix] = commands // own keys: a name of this script's.
export { commands }

// The npm package isn't loaded by a script tag, and its commands don't go through `api.ts`.
if (IS_MODULE) openVisitor()
recordFirst()
if (!IS_MODULE) publish()
if (HAS_CONSENT && needsConsent) watchConsent()
if (HAS_CAPTURE) watchForms()
watchActivity()
on("online", resume)
on("pagehide", flush)
// Fires after `pagehide` too, so it also sends what the page tracked during unload.
on("visibilitychange", () => {
  recordFirst()
  flush()
})
watchNavigation()
