/**
 * What this load of the script was told: by the server, which embeds the pixel's settings, and by
 * the script tag that brought it (decisions.md 2.4, 6.1). Fixed once `readSettings` has returned.
 *
 * Refuses, by throwing, to run from an address that does not name the pixel: it would not know where
 * to send. Plain and immutable form of the address are both fine.
 */

/** Other keys of decisions.md 2.4 are the server's concern. */
interface EmbeddedSettings {
  readonly id: string
  readonly spa?: string | null
  readonly cookies?: string | null
  readonly cookieDomain?: string | null
}

declare const __FOOTFALL_SETTINGS__: EmbeddedSettings

export let pixelId: string
/** Query included: it is attribution, never options. */
export let scriptAddress: string
/** Where batches go: `…/p/<pixel id>/e` beside the script. Source: decisions.md 6.3. */
export let endpoint: string
/** `hash` and `off` mean something, everything else is `auto`. */
export let spa: string | null | undefined
/** False: the id lives in memory, per tab, and nothing is stored. */
export let isStored: boolean
/** Domain attribute of the cookie; empty for the host alone. */
export let cookieDomain: string
export let isDebug = false

export const readSettings = (): void => {
  const embedded = __FOOTFALL_SETTINGS__
  pixelId = embedded.id
  const tag = (document.currentScript ||
    document.querySelector(`script[src*="/p/${pixelId}"]`)) as HTMLScriptElement
  const attribute = (name: string) => tag.getAttribute("data-" + name)

  // The attribute wins, but for `cookies`, where the stricter of both does.
  isDebug = attribute("debug") !== null
  spa = attribute("spa") || embedded.spa
  isStored = attribute("cookies") !== "none" && embedded.cookies !== "none"
  cookieDomain = attribute("cookie-domain") || embedded.cookieDomain || ""
  scriptAddress = tag.src
  const parts = scriptAddress.split(pixelId)
  if (!parts[1]) throw "no pixel in " + scriptAddress
  endpoint = parts[0] + pixelId + "/e"
}
