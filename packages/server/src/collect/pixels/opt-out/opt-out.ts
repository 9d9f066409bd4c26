// A browser's choice not to be recognized by any site of this pixel host (spec 6.6): a cookie that scripts on pages
// cannot read or set.
import { HttpServerResponse } from "effect/http"

const name = "footfall_optout"
const value = "1"
const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "none" } as const

/** 13 months. spec 6.6 */
const lifetime = "395 days"

export const optOut = HttpServerResponse.setCookieUnsafe(name, value, {
  ...attributes,
  maxAge: lifetime,
})

export const optIn = HttpServerResponse.expireCookieUnsafe(name, attributes)

const pair = new RegExp(`(?:^|;)\\s*${name}=${value}\\s*(?:;|$)`)

/** `cookie`: a request's header. */
export const hasOptedOut = (cookie: string | undefined): boolean =>
  cookie !== undefined && pair.test(cookie)
