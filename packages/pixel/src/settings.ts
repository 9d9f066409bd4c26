/**
 * What this load of the script was told: by the server, which embeds the pixel's settings, and by
 * the script tag that brought it (decisions.md 2.4, 6.1). Fixed once `readSettings` has returned.
 *
 * Refuses, by throwing, to run where the full script comes in place of this one, and from an address
 * that does not name the pixel: it would not know where to send. Plain and immutable form of the address are both fine.
 */
import { attributionOfAddress } from "./attribution.ts"
import { requiresConsent } from "./consent-region.ts"
import { guard, setDebug } from "./guard.ts"
import { lacksPart, loadFull } from "./full-script.ts"
import { settingsOf } from "./module-options.ts"
import { passesLists } from "./path-filter.ts"

export let pixelId: string
/** Of the script's address: its query is attribution, never options. */
export let attribution: object | undefined
/** Where batches go: `…/p/<pixel id>/e` beside the script. Source: decisions.md 6.3. */
export let endpoint: string
/** `hash` and `off` mean something, everything else is `auto`. */
export let spa: string | null | undefined
/** False: the id lives in memory, per tab, and nothing is stored. */
export let isStored: boolean
/** Domain attribute of the cookie; empty for the host alone. */
export let cookieDomain: string
/** Do Not Track counts like Global Privacy Control. */
export let respectsDnt: boolean
/** Nothing is ever recorded. */
export let isDenied = false
/** Consent has to be given by the visitor. */
export let needsConsent = false
/** The owner says that consent is there; otherwise, where none is needed, it is implied. */
export let isGranted = true
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
  pixelId = embedded.id
  const tag = (
    IS_MODULE
      ? { src: embedded.src, dataset: embedded.debug ? { debug: "" } : {} }
      : document.currentScript || document.querySelector(`script[src*="/p/${pixelId}"]`)
  ) as HTMLScriptElement
  const { dataset } = tag
  const both = (key: string) => "" + (dataset[key] || "") + (embedded[key] || "")

  const debug = "debug" in dataset
  setDebug(debug)
  // A browser that a program drives is no visitor, unless its owner is looking.
  isDenied = navigator.webdriver && !debug
  const parts = tag.src.split(pixelId)
  const base = parts[0] + pixelId
  const rest = parts[1]
  if (!rest) throw tag.src
  endpoint = base + "/e"
  if (!(HAS_CAPTURE && HAS_CONSENT && HAS_HASH && HAS_PATHS) && lacksPart(dataset)) {
    loadFull(tag, base + rest.replace(/[^?]*/, `.${embedded.full}.js`))
    throw "the full script comes"
  }

  attribution = guard(attributionOfAddress)(tag.src)
  // Of privacy options the stricter value wins, of others the tag's.
  spa = dataset["spa"] || embedded.spa
  cookieDomain = dataset["cookieDomain"] || embedded.cookieDomain || ""
  isStored = !/none/.test(both("cookies"))
  respectsDnt = /true/.test(both("respectDnt"))
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
