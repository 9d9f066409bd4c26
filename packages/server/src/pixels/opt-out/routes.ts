// The opt-out on the pixel host (spec 5.2, 6.6). A visit opts the browser out; only the page's own
// button opts it in again, so that no other site takes the choice back.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../http/answer.ts"
import { contentSecurityPolicy } from "../../http/plain-page.ts"
import { optIn, optOut } from "./opt-out.ts"
import { type Choice, optOutPage } from "./page.ts"

const path = "/opt-out"

export const optOutRoutes = [
  { method: "GET", path },
  { method: "POST", path },
] as const

const page = (choice: Choice) =>
  HttpServerResponse.html(optOutPage(choice)).pipe(
    HttpServerResponse.setHeaders({
      "cache-control": "private, no-store",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "same-origin",
    }),
  )

const out = optOut(page("out"))
const back = optIn(page("in"))

const takeBack = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  isOwn(headers)
    ? Effect.succeed(back)
    : refused({ code: "FORBIDDEN", message: "Only the page itself opts a browser in again." }),
)

export const OptOutRoutes = Layer.mergeAll(
  HttpRouter.add("GET", path, out),
  HttpRouter.add("POST", path, takeBack),
)

/** Of this very page. A browser that does not say where a form was says which origin it is from. */
const isOwn = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined) return site === "same-origin"
  return origin === undefined || (host !== undefined && URL.parse(origin)?.host === host)
}
