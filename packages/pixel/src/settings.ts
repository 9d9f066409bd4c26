/**
 * What this load of the script was told: by the server, which embeds the pixel's settings, and by
 * the script tag that brought it (decisions.md 2.4, 6.1). Fixed once `readSettings` has returned.
 *
 * Refuses, by throwing, to run where the full script comes in place of this one, and from an address that does not name the pixel: it would not know where to
 * send. Plain and immutable form of the address are both fine.
 */
import { attributionOfAddress } from "./attribution.ts"
import { requiresConsent } from "./consent-region.ts"
import { guard, isDebug, setDebug } from "./guard.ts"
import { stopForFull } from "./full-script.ts"
import { settingsOf } from "./module-options.ts"
import { passesLists } from "./path-filter.ts"

/** Begins the names of what this pixel keeps beside the id. */
export let namePrefix: string
/** Of the script's address: its query is attribution, never options. */
export let attribution: object | undefined
/** `…/p/<pixel id>`, of the script. */
export let address: string
/** `hash` and `off` mean something, everything else is `auto`. */
export let spa: string | null | undefined
/** False: the id lives in memory, per tab, and nothing is stored. */
export let isStored: boolean
/** Domain attribute of the cookie; empty for the host alone. */
export let cookieDomain: string
/**
 * The browser asks not to be known: Global Privacy Control, and Do Not Track where the pixel or the tag
 * respects it. The page is then counted without an id, nothing is stored and nobody is identified.
 */
export let isAnonymous: unknown
/** Nothing is ever recorded. */
export let isDenied: boolean
/** Consent has to be given by the visitor. */
export let needsConsent = false
/** The owner says that consent is there; otherwise, where none is needed, it is implied. */
export let isGranted = false
/** `off`, `forms` and `all` of both sides, joined: `all`, `formsall`, nothing. */
export let captureMode: string
export let timeZone: string | undefined
/** Whether the page the browser is on counts: it has to pass the pixel's lists and the tag's. */
export let countsPage = (): boolean => true

const listOf = (text: string | undefined) => (text ? text.split(/[\s,]+/) : null)

/**
 * `Temporal` names it at once. The first use of `Intl` on a page takes Chromium 15 ms of the main
 * thread, and six times that on a slow phone (bench, 2026-11-22), so it is asked where there is no other.
 */
const zoneOfBrowser = () => {
  // Not yet in the types of a browser's globals.
  const { Temporal } = window as unknown as { Temporal?: { Now: { timeZoneId(): string } } }
  return Temporal ? Temporal.Now.timeZoneId() : Intl.DateTimeFormat().resolvedOptions().timeZone
}

export const readSettings = (): void => {
  const embedded = IS_MODULE ? settingsOf() : __FOOTFALL_SETTINGS__
  const { id } = embedded
  const tag = (
    IS_MODULE
      ? { src: embedded.src, dataset: embedded.debug ? { debug: "" } : {} }
      : document.currentScript || document.querySelector(`script[src*="/p/${id}"]`)
  ) as HTMLScriptElement
  const { dataset, src } = tag
  const both = (key: string) => "" + (dataset[key] || "") + (embedded[key] || "")

  setDebug("debug" in dataset)
  namePrefix = "footfall_" + id
  address = (new RegExp(".*?" + id).exec(src) as RegExpExecArray)[0]
  if (!HAS_ALL) stopForFull(tag, namePrefix, `${address}.${embedded.full}.js`)

  attribution = guard(attributionOfAddress)(src)
  // A browser that a program drives is no visitor, unless its owner is looking.
  isDenied = navigator.webdriver && !isDebug
  // Not yet in the DOM types of TypeScript.
  isAnonymous = (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl
  // Of privacy options the stricter value wins, of others the tag's.
  if (HAS_HASH || HAS_OPTIONS) spa = (HAS_OPTIONS && dataset["spa"]) || embedded.spa
  if (HAS_OPTIONS) {
    cookieDomain = dataset["cookieDomain"] || embedded.cookieDomain || ""
    isStored = !/none/.test(both("cookies"))
    isAnonymous = isAnonymous || (/true/.test(both("respectDnt")) && navigator.doNotTrack === "1")
  }
  if (HAS_CONSENT) {
    const consent = both("consent")
    // Guarded: the page may have taken either away.
    timeZone = guard(zoneOfBrowser)()
    isDenied = isDenied || /denied/.test(consent)
    isGranted = /^(granted)+$/.test(consent)
    needsConsent = !isGranted && (/required/.test(consent) || requiresConsent("" + timeZone))
  }
  if (HAS_CAPTURE) captureMode = both("emailCapture")
  if (HAS_PATHS) {
    const excluded = listOf(dataset["exclude"])
    const included = listOf(dataset["include"])
    countsPage = () =>
      passesLists(location.pathname, excluded, included) &&
      passesLists(location.pathname, embedded.excludedPaths, embedded.includedPaths)
  }
}
