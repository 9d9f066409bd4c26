/**
 * A batch without its end (spec 6.3), fixed when it closes, so that a later `reset` doesn't change earlier events.
 * `gpc` and `dnt` come from the request headers, and `consent` reflects their effect.
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
