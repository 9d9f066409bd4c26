/**
 * Begins: counts the page, takes commands and listens to what the page does. Each load of the script
 * is one pixel, so its modules hold the state of that pixel.
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
window[namePrefix] = commands
export { commands }

// Looks at what the visitor has chosen, also on a page that is not shown yet.
openVisitor()
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
