/**
 * The page URL as it is sent (spec 6.5). Of its query it keeps only what the server reads, campaign and click ids, and
 * drops any of those that contain an email address or a secret. All other parameters stay in the browser, so no
 * password, key or token of the site can leak.
 *
 * The fragment stays in the browser too, except in `hash` mode, where it's the path. It parses without `URL`, because a
 * page may have replaced that.
 */
import { guard } from "./guard.ts"
import { ADDRESS_LENGTH_MAX } from "./limits.ts"
import { isAnonymous, spa } from "./settings.ts"
import { clip } from "./text.ts"

/**
 * Everything except UTM values and click ids, recognized by the form of their names: `gclid`, `msclkid`, `rdt_cid`, …
 */
const NOT_SENT = /[?&](?!(utm_\w+|\w+(c[kl]*|bra|fat_)id|epik)=(?!sk_|eyJ|[^&]*(@|%40)))[^&]*/g
/** The token of an email link (spec 6.7) and its separators. */
const LINK_TOKEN = /([?&])_vid=([^&#]*)(&?)/

export const isHashMode = (): boolean => HAS_HASH && spa === "hash"

/** A page view requires a change of this: the path, or in `hash` mode the path inside the fragment. */
export const pagePath = (): string =>
  isHashMode() ? (/^#!?\/[^?]*/.exec(location.hash) || [""])[0] : location.pathname

/** Test the patterns only if there's a query, because the first use of one takes a browser 0.2 ms. */
export const pageAddress = (): string => {
  const address =
    location.origin +
    location.pathname +
    (location.search && location.search.replace(NOT_SENT, "").replace(/^&/, "?"))
  return clip(isHashMode() ? address + pagePath() : address, ADDRESS_LENGTH_MAX)
}

/** Removes the token from the address bar and returns it if the page may have an id. This causes no page view. */
export const takeLinkToken = (): string | undefined => {
  let token: string | undefined
  const clean = location.href.replace(LINK_TOKEN, (_, before, found, after) => {
    token = found
    return after && before
  })
  if (token) guard(() => history.replaceState(history.state, "", clean))()
  return isAnonymous ? undefined : token
}
