/**
 * The fields a batch carries besides its events (decisions.md 6.3), as they are when it is closed:
 * a later `reset` does not touch events that came before.
 */
import { attributionOfAddress } from "./attribution.ts"
import { guard, isDebug } from "./guard.ts"
import { hasDnt, hasGpc, isAnonymous } from "./privacy.ts"
import { isGranted, scriptAddress, timeZone } from "./settings.ts"
import { choice, visitorId } from "./visitor.ts"

let attribution: object | undefined

export const batchContext = (): object => {
  // Once, so that a dropped secret is warned of once.
  attribution = attribution || guard(attributionOfAddress)(scriptAddress)
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
