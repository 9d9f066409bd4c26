/**
 * The address of the page as it may travel (spec 6.5): of its query only what the server
 * reads, campaign and click ids, and of those nothing that holds an e-mail address or a secret. All
 * other parameters stay in the browser, so no password, key or token of a site's own can leave.
 *
 * Promises that the fragment stays too, except in `hash` mode where it is the path. Reads addresses
 * without `URL`, which a page may have replaced.
 */
import { guard } from "./guard.ts"
import { ADDRESS_LENGTH_MAX } from "./limits.ts"
import { spa } from "./settings.ts"
import { clip } from "./text.ts"

/** All but UTM values, and click ids by the form of their names: `gclid`, `msclkid`, `rdt_cid`, … */
const NOT_SENT = /[?&](?!(utm_\w+|\w+(c[kl]*|bra|fat_)id|epik)=(?!sk_|eyJ|[^&]*(@|%40)))[^&]*/g
/** The token of a mail link (spec 6.7), and what separates it. */
const LINK_TOKEN = /([?&])_vid=([^&#]*)(&?)/

export const isHashMode = (): boolean => HAS_HASH && spa === "hash"

/** What must change for a page view: the path, in `hash` mode the one inside the fragment. */
export const pagePath = (): string =>
  isHashMode() ? (/^#!?\/[^?]*/.exec(location.hash) || [""])[0] : location.pathname

/** The patterns are asked only where there is a query: the first use of one takes a browser 0.2 ms. */
export const pageAddress = (): string => {
  const address =
    location.origin +
    location.pathname +
    (location.search && location.search.replace(NOT_SENT, "").replace(/^&/, "?"))
  return clip(isHashMode() ? address + pagePath() : address, ADDRESS_LENGTH_MAX)
}

/** Takes the token out of the address bar. This causes no page view. */
export const takeLinkToken = (): string | undefined => {
  let token: string | undefined
  const clean = location.href.replace(LINK_TOKEN, (_, before, found, after) => {
    token = found
    return after && before
  })
  if (token) guard(() => history.replaceState(history.state, "", clean))()
  return token
}
