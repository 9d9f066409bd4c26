/**
 * The settings for this load of the script: those the server embeds for the pixel, and those of the script tag
 * (spec 2.4, 6.1). For privacy options the stricter value wins, for others the tag's.
 */
import { pickScalars, type Scalars } from "./scalars.ts"
import { requiresConsent } from "./consent-region.ts"
import "./full-script.ts"
import { guard } from "./guard.ts"
import { dataset, embedded, isDebug, query } from "./tag.ts"

/**
 * Custom attribution: labels that a site owner attaches to a visit in the query of the script URL (spec 6.5). If a key
 * repeats, the first one counts. The server drops cache busters and anything else that isn't a label.
 */
const attributionOfQuery = (query: string): Scalars => {
  const labels: Scalars = Object.create(null)
  // own keys: `labels` has no prototype.
  new URLSearchParams(query).forEach((value, key) => key in labels || (labels[key] = value))
  return pickScalars(labels)
}

// own keys: names of ours.
const both = (key: string) => "" + (dataset[key] || "") + (embedded[key] || "")

/** Parse only if there's something, because most script URLs have no query. */
export const attribution = query ? guard(attributionOfQuery)(query) : undefined

/** Anything other than `hash` and `off` means `auto`. */
export const spa =
  HAS_HASH || HAS_OPTIONS ? (HAS_OPTIONS && dataset["spa"]) || embedded.spa : undefined
/** Domain attribute of the cookie; empty for this host only. */
export const cookieDomain = HAS_OPTIONS && (dataset["cookieDomain"] || embedded.cookieDomain)
/** False: the id stays in memory, per tab, and nothing is stored. */
export const isStored = !HAS_OPTIONS || !/none/.test(both("cookies"))

/**
 * The browser asks for privacy: Global Privacy Control, and Do Not Track if the pixel or the tag
 * respects it. The page is then counted without an id, nothing is stored and no one is identified.
 */
// Not yet in the DOM types of TypeScript.
const { globalPrivacyControl } = navigator as { globalPrivacyControl?: unknown }
export const isAnonymous = HAS_OPTIONS
  ? globalPrivacyControl || (/true/.test(both("respectDnt")) && navigator.doNotTrack === "1")
  : globalPrivacyControl

/**
 * `Temporal` returns the zone at once. The first use of `Intl` on a page keeps the main thread busy,
 * most of all on a slow phone, so it's only the fallback.
 */
const zoneOfBrowser = () => {
  // Not yet in TypeScript's types of browser globals.
  const { Temporal } = window as unknown as { Temporal?: { Now: { timeZoneId(): string } } }
  return Temporal ? Temporal.Now.timeZoneId() : Intl.DateTimeFormat().resolvedOptions().timeZone
}
// Guarded, because the page may have removed either one.
export const timeZone = HAS_CONSENT ? guard(zoneOfBrowser)() : undefined

const consent = HAS_CONSENT ? both("consent") : ""
/** Records nothing, because an automated browser isn't a visitor, unless `data-debug` is set. */
const isDriven = navigator.webdriver && !isDebug
export const isDenied = HAS_CONSENT ? isDriven || /denied/.test(consent) : isDriven
/** The site owner states that consent was given. Otherwise it's implied where none is required. */
export const isGranted = !HAS_CONSENT || /^(granted)+$/.test(consent)
/** The visitor has to give consent. */
export const needsConsent =
  HAS_CONSENT && !isGranted && (/required/.test(consent) || requiresConsent("" + timeZone))

/** `off`, `forms` and `all` from both sides, joined: `all`, `formsall`, or nothing. */
export const captureMode = HAS_CAPTURE ? both("emailCapture") : ""
