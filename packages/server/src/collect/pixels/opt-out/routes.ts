// The opt-out on the pixel host (spec 5.2, 6.6). Opening the page changes nothing: it shows the current state and a
// form. Only its own form opts the browser out or in, so no other site can make or reverse the choice. The form
// redirects to the page, which then shows what the browser saved.
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../../platform/http/answer.ts"
import type { PlainPage } from "../../../platform/http/plain-page.ts"
import { hasOptedOut, optIn, optOut } from "./opt-out.ts"

const path = "/opt-out"

export const optOutRoutes = [
  { method: "GET", path },
  { method: "POST", path },
] as const

/** The choice that a browser has stored, or that its form requests. */
const Choice = Schema.Literals(["out", "in"])
type Choice = typeof Choice.Type

const Asked = Schema.Struct({ asked: Schema.optionalKey(Choice) })
const Chosen = Schema.Struct({ choice: Choice })

/** `honorsGpc`: whether this server honors Global Privacy Control (`GPC_MODE`). */
export const OptOutRoutes = (plainPage: PlainPage, honorsGpc: boolean) => {
  const show = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { asked } = yield* HttpServerRequest.schemaSearchParams(Asked).pipe(
      Effect.orElseSucceed(() => ({ asked: undefined })),
    )
    return optOutPage(plainPage, {
      isOut: hasOptedOut(headers["cookie"]),
      asked,
      hasSignal: honorsGpc && headers["sec-gpc"] === "1",
    }).pipe(HttpServerResponse.setHeader("cache-control", "private, no-store"))
  })
  const choose = Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    if (!isOwn(headers)) {
      return yield* refused({
        code: "FORBIDDEN",
        message: "Use the button on the opt-out page to opt out or opt in.",
      })
    }
    const { choice } = yield* HttpServerRequest.schemaSearchParams(Chosen)
    const back = HttpServerResponse.redirect(`opt-out?asked=${choice}`, { status: 303 }).pipe(
      HttpServerResponse.setHeader("cache-control", "private, no-store"),
    )
    return choice === "out" ? optOut(back) : optIn(back)
  }).pipe(
    Effect.catchTag("SchemaError", () =>
      refused({
        code: "VALIDATION_ERROR",
        message: "The parameter choice is required and must be out or in.",
        details: {
          issues: [
            { path: "/query/choice", code: "invalid_value", message: "Expected out or in." },
          ],
        },
      }),
    ),
  )
  return Layer.mergeAll(HttpRouter.add("GET", path, show), HttpRouter.add("POST", path, choose))
}

/** Sent by this page. Browsers without Sec-Fetch-Site send the form's origin. */
const isOwn = (headers: HttpServerRequest.HttpServerRequest["headers"]): boolean => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined) return site === "same-origin"
  return origin === undefined || (host !== undefined && URL.parse(origin)?.host === host)
}

// The opt-out page: the current state, the stored cookie, and the other choice as a form (spec 6.6).

interface OptOutState {
  /** The request carries the cookie. */
  readonly isOut: boolean
  /** The choice that the form just requested; undefined if the page was opened directly. */
  readonly asked: Choice | undefined
  /** The browser sends Global Privacy Control, and this server honors it. */
  readonly hasSignal: boolean
}

/** Relative, because the page may be below an embedding application's path. */
const form = (choice: Choice, label: string) =>
  `<form method="post" action="opt-out?choice=${choice}"><button${choice === "out" ? ' class="primary"' : ""}>${label}</button></form>`

const cookie = `<p>Your browser stores your choice in one cookie, <code>footfall_optout=1</code>, for 13 months. It contains no id. If you delete your cookies, opt out again.</p>`

const limits = `<p>Your choice applies only to this browser. Some browsers send no cookies to other websites. There, turn on Global Privacy Control instead, which this service also respects.</p>`

const signal = `<p class="note">This browser sends a Global Privacy Control signal. Websites that use this service count its page views but do not recognize it, whatever you choose here.</p>`

const pages = {
  out: {
    title: "You are opted out",
    body: `<p>Websites that use this service do not recognize this browser: it receives no script from this service and sends it nothing.</p>
${form("in", "Opt in again")}
<h2>What your browser stores</h2>
${cookie}
${limits}`,
  },
  notKept: {
    title: "Your browser did not save your choice",
    body: `<p>This page sent the opt-out cookie, but your browser rejected it, so you are not opted out. Allow cookies for this site and try again, or turn on Global Privacy Control.</p>
${form("out", "Try again")}`,
  },
  backIn: {
    title: "You are opted in",
    body: `<p>Your browser has deleted the opt-out cookie. Websites that use this service may recognize it again, if their settings and your consent allow it.</p>
${form("out", "Opt out")}`,
  },
  in: {
    title: "Opt this browser out?",
    body: `<p>Websites that use this service may recognize this browser when it returns, if their settings and your consent allow it. Opting out stops that on all of them. Nothing has changed yet.</p>
${form("out", "Opt out")}
<h2>What your browser stores</h2>
${cookie}
${limits}`,
  },
} as const

const pageOf = ({ asked, isOut }: OptOutState) => {
  if (isOut) return pages.out
  if (asked === "out") return pages.notKept
  return asked === "in" ? pages.backIn : pages.in
}

const optOutPage = (plainPage: PlainPage, state: OptOutState) => {
  const { body, title } = pageOf(state)
  return plainPage({ title, body: state.hasSignal ? `${signal}\n${body}` : body })
}
