/**
 * Begins: counts the page, takes commands and listens to what the page does. Each load of the script
 * is one pixel, so its modules hold the state of that pixel.
 *
 * What the visitor has chosen and the id are not looked up yet: the first touch of cookies and local
 * storage is half of what the script costs the page at load. That comes with the title of the first
 * view, or with what asks for it before: a command, the end of the page.
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

/** As far as it is this script's: the guard against a double load, see `tag.ts`. */
declare const window: { [loaded: string]: unknown }
window[namePrefix] = commands // own keys: a name of this script's.
export { commands }

// The package is not loaded by a script tag, and its commands do not come through `api.ts`.
if (IS_MODULE) openVisitor()
recordFirst()
if (!IS_MODULE) publish()
if (HAS_CONSENT && needsConsent) watchConsent()
if (HAS_CAPTURE) watchForms()
watchNavigation()
watchActivity()
on("online", resume)
on("pagehide", flush)
// Comes after `pagehide` too, and so takes along what the page tracked while it was left.
on("visibilitychange", () => {
  recordFirst()
  flush()
})
