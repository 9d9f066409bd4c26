// The opt-out on the pixel host (spec 5.2, 6.6). A visit opts the browser out; only the page's own
// button opts it in again, so that no other site takes the choice back. The page states the current choice and
// offers the other one.
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../http/answer.ts"
import type { PlainPage } from "../../http/plain-page.ts"
import { optIn, optOut } from "./opt-out.ts"

const path = "/opt-out"

export const optOutRoutes = [
  { method: "GET", path },
  { method: "POST", path },
] as const

export const OptOutRoutes = (plainPage: PlainPage) => {
  const page = (choice: Choice) =>
    optOutPage(plainPage, choice).pipe(
      HttpServerResponse.setHeader("cache-control", "private, no-store"),
    )
  const back = optIn(page("in"))
  const takeBack = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    isOwn(headers)
      ? Effect.succeed(back)
      : refused({ code: "FORBIDDEN", message: "Use the opt-out page to opt in again." }),
  )
  return Layer.mergeAll(
    HttpRouter.add("GET", path, optOut(page("out"))),
    HttpRouter.add("POST", path, takeBack),
  )
}

/** Of this very page. A browser that does not say where a form was says which origin it is from. */
const isOwn = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined) return site === "same-origin"
  return origin === undefined || (host !== undefined && URL.parse(origin)?.host === host)
}

/** What a browser has chosen. */
type Choice = "out" | "in"

// Addresses are relative: the page may stand below a path of an embedding application. Taking a choice
// back is a POST, so that no other site can do it with an image or a link.
const texts = {
  out: {
    title: "You are opted out",
    paragraphs: [
      "Websites that use this service can no longer recognize this browser. Your choice is stored in a cookie for 13 months. If you delete your cookies, opt out again.",
      "This applies to this browser only. If your browser blocks third-party cookies, turn on Global Privacy Control instead, which this service also respects.",
    ],
    other: `<form method="post" action="opt-out"><button>Opt in again</button></form>`,
  },
  in: {
    title: "You are opted in",
    paragraphs: [
      "Your opt-out cookie has been deleted. Websites that use this service may recognize this browser again, if their settings and your consent allow it.",
    ],
    other: `<a class="button" href="opt-out">Opt out</a>`,
  },
} as const satisfies Record<Choice, unknown>

const optOutPage = (plainPage: PlainPage, choice: Choice) => {
  const { other, paragraphs, title } = texts[choice]
  return plainPage({
    title,
    body: `${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}\n${other}`,
  })
}
