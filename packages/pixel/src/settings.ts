/**
 * The settings of this load of the script: from the server, which embeds the pixel's settings, and by
 * the script tag that brought it (spec 2.4, 6.1). Of privacy options the stricter value wins,
 * of others the tag's.
 */
import { attributionOfQuery } from "./attribution.ts"
import { requiresConsent } from "./consent-region.ts"
import "./full-script.ts"
import { guard } from "./guard.ts"
import { passesLists } from "./path-filter.ts"
import { dataset, embedded, isDebug, query } from "./tag.ts"

// own keys: names of ours.
const both = (key: string) => "" + (dataset[key] || "") + (embedded[key] || "")
const listOf = (text: string | undefined) => (text ? text.split(/[\s,]+/) : null)

/** Read only where there is something: most script addresses have no query. */
export const attribution = query ? guard(attributionOfQuery)(query) : undefined

/** `hash` and `off` mean something, everything else is `auto`. */
export const spa =
  HAS_HASH || HAS_OPTIONS ? (HAS_OPTIONS && dataset["spa"]) || embedded.spa : undefined
/** Domain attribute of the cookie; empty for the host alone. */
export const cookieDomain = HAS_OPTIONS && (dataset["cookieDomain"] || embedded.cookieDomain)
/** False: the id lives in memory, per tab, and nothing is stored. */
export const isStored = !HAS_OPTIONS || !/none/.test(both("cookies"))

/**
 * The browser asks not to be known: Global Privacy Control, and Do Not Track where the pixel or the tag
 * respects it. The page is then counted without an id, nothing is stored and no one is identified.
 */
// Not yet in the DOM types of TypeScript.
const { globalPrivacyControl } = navigator as { globalPrivacyControl?: unknown }
export const isAnonymous = HAS_OPTIONS
  ? globalPrivacyControl || (/true/.test(both("respectDnt")) && navigator.doNotTrack === "1")
  : globalPrivacyControl

/**
 * `Temporal` names it at once. The first use of `Intl` on a page takes Chromium 15 ms of the main
 * thread, and six times that on a slow phone (bench, 2026-11-22), so it is asked where there is no other.
 */
const zoneOfBrowser = () => {
  // Not yet in the types of a browser's globals.
  const { Temporal } = window as unknown as { Temporal?: { Now: { timeZoneId(): string } } }
  return Temporal ? Temporal.Now.timeZoneId() : Intl.DateTimeFormat().resolvedOptions().timeZone
}
// Guarded: the page may have taken either away.
export const timeZone = HAS_CONSENT ? guard(zoneOfBrowser)() : undefined

const consent = HAS_CONSENT ? both("consent") : ""
/** Records nothing. An automated browser is not a visitor, unless `data-debug` is set. */
const isDriven = navigator.webdriver && !isDebug
export const isDenied = HAS_CONSENT ? isDriven || /denied/.test(consent) : isDriven
/** The owner says that consent is there; otherwise, where none is needed, it is implied. */
export const isGranted = !HAS_CONSENT || /^(granted)+$/.test(consent)
/** Consent has to be given by the visitor. */
export const needsConsent =
  HAS_CONSENT && !isGranted && (/required/.test(consent) || requiresConsent("" + timeZone))

/** `off`, `forms` and `all` of both sides, joined: `all`, `formsall`, nothing. */
export const captureMode = HAS_CAPTURE ? both("emailCapture") : ""

/** Whether the page the browser is on counts: it has to pass the pixel's lists and the tag's. */
export const countsPage = (): boolean =>
  !HAS_PATHS ||
  (passesLists(location.pathname, listOf(dataset["exclude"]), listOf(dataset["include"])) &&
    passesLists(location.pathname, embedded.excludedPaths, embedded.includedPaths))
