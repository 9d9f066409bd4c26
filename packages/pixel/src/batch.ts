/**
 * A batch without its end (spec 6.3), as it is when it is closed: a later `reset` does not
 * touch events that came before. `gpc` and `dnt` are left to the headers of the request, and what
 * follows from them is in `consent`.
 */
import type { PixelEvent } from "./event.ts"
import { attribution, isAnonymous, isGranted, timeZone } from "./settings.ts"
import { isDebug } from "./tag.ts"
import { choice, visitorId } from "./visitor.ts"

export const batchOf = (events: ArrayLike<PixelEvent>): string =>
  JSON.stringify({
    v: 1,
    anonymousId: visitorId,
    consent: isAnonymous
      ? "anonymous"
      : !HAS_CONSENT || isGranted || choice === "granted"
        ? "granted"
        : "implied",
    debug: isDebug,
    ...(HAS_CONSENT ? { timeZone } : {}),
    attribution,
    events,
  }).slice(0, -1)
