/**
 * Begins: reads the settings, counts the page, takes commands and listens to what the page does. Each
 * load of the script is one pixel, so its modules hold the state of that pixel.
 */
import { publish } from "./api.ts"
import { commands } from "./commands.ts"
import { watchConsent } from "./consent-signals.ts"
import { watchForms } from "./email-capture.ts"
import { guard, on } from "./guard.ts"
import { watchActivity } from "./heartbeat.ts"
import { watchNavigation } from "./navigation.ts"
import { recordFirst } from "./page-views.ts"
import { flush, resume } from "./queue.ts"
import { namePrefix, needsConsent, readSettings } from "./settings.ts"
import { openVisitor } from "./visitor.ts"

/** As far as it is this script's. */
declare const window: { [loaded: string]: typeof commands | 1 | undefined }

/** The commands of this pixel: those of an earlier load, where it is on the page already. */
export const start = guard((): typeof commands | undefined => {
  readSettings()
  // The guard against a double load of one pixel. 1: the full script is to come, and comes.
  if (!window[namePrefix] || (HAS_ALL && window[namePrefix] === 1)) {
    window[namePrefix] = commands

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
  }
  return window[namePrefix] as typeof commands
})
