/**
 * The fields a batch carries besides its events (decisions.md 6.3), as they are when it is closed:
 * a later `reset` does not touch events that came before.
 */
import { attributionOfAddress } from "./attribution.ts"
import { guard } from "./guard.ts"
import { hasPrivacySignal } from "./privacy.ts"
import { isDebug, scriptAddress } from "./settings.ts"
import { visitorId } from "./visitor-id.ts"

let attribution: object | undefined

export const batchContext = (): object => {
  const isAnonymous = hasPrivacySignal()
  // Once, so that a dropped secret is warned of once.
  attribution = attribution || guard(attributionOfAddress)(scriptAddress)
  return {
    anonymousId: visitorId,
    consent: isAnonymous ? "anonymous" : "granted",
    gpc: isAnonymous,
    dnt: navigator.doNotTrack === "1",
    debug: isDebug,
    timeZone: guard(() => Intl.DateTimeFormat().resolvedOptions().timeZone)() || null,
    attribution,
  }
}
