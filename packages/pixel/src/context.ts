/**
 * The fields a batch carries besides its events (decisions.md 6.3), as they are when it is closed:
 * a later `reset` does not touch events that came before.
 */
import { isDebug } from "./guard.ts"
import { hasDnt, hasGpc, isAnonymous } from "./privacy.ts"
import { attribution, isGranted, timeZone } from "./settings.ts"
import { choice, visitorId } from "./visitor.ts"

export const batchContext = (): object => {
  return {
    v: 1,
    anonymousId: visitorId,
    consent: isAnonymous()
      ? "anonymous"
      : !HAS_CONSENT || isGranted || choice === "granted"
        ? "granted"
        : "implied",
    gpc: hasGpc(),
    dnt: hasDnt(),
    debug: isDebug,
    timeZone: timeZone || null,
    attribution,
  }
}
