// The opt-out on the pixel host (spec 5.2, 6.6). Opening the page changes nothing: it shows the current state and asks.
// Only its own form opts the browser out or in, so no other site can choose or take the choice back. The form redirects
// to the page, which then shows what the browser kept.
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../http/answer.ts"
import type { PlainPage } from "../../http/plain-page.ts"
import { hasOptedOut, optIn, optOut } from "./opt-out.ts"
import { optOutPage } from "./page.ts"

const path = "/opt-out"

export const optOutRoutes = [
  { method: "GET", path },
  { method: "POST", path },
] as const

const Choice = Schema.Literals(["out", "in"])
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
        message: "Use the button of the opt-out page to opt out or in.",
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
