/**
 * A batch without its end (decisions.md 6.3), as it is when it is closed: a later `reset` does not
 * touch events that came before.
 */
import { isDebug } from "./guard.ts"
import { hasDnt, hasGpc, isAnonymous } from "./privacy.ts"
import { attribution, isGranted, timeZone } from "./settings.ts"
import { choice, visitorId } from "./visitor.ts"

/** Events come as texts: `JSON.stringify` of arrays is not safe from libraries that give them a `toJSON`. */
export const batchOf = (events: string): string =>
  JSON.stringify({
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
    timeZone: HAS_CONSENT ? timeZone : undefined,
    attribution,
  }).slice(0, -1) + `,"events":[${events}]`
