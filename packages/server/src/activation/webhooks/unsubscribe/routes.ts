// The page behind a link to unsubscribe (spec 14.5). Opening it changes nothing, because mail scanners open links: it
// shows a button. A POST unsubscribes, also that of a mail program (RFC 8058), which sends no credentials.
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { PlainPage } from "../../../platform/http/plain-page.ts"
import { Webhooks } from "../webhooks.ts"
import { UnsubscribeLinks, unsubscribePath } from "./links.ts"

export const unsubscribeRoutes = [
  { method: "GET", path: unsubscribePath },
  { method: "POST", path: unsubscribePath },
] as const

const Asked = Schema.Struct({ token: Schema.String })

export const UnsubscribeRoutes = (plainPage: PlainPage) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const webhooks = yield* Webhooks
      const links = yield* UnsubscribeLinks

      const asked = Effect.map(
        HttpServerRequest.schemaSearchParams(Asked).pipe(
          Effect.orElseSucceed(() => ({ token: "" })),
        ),
        ({ token }) => ({ token, recipient: links.read(token) }),
      )
      const show = Effect.gen(function* () {
        const { recipient, token } = yield* asked
        return recipient === undefined ? unknownPage(plainPage) : kept(askPage(plainPage, token))
      })
      const unsubscribe = Effect.gen(function* () {
        const { recipient } = yield* asked
        if (recipient === undefined) return unknownPage(plainPage)
        yield* webhooks.unsubscribe(recipient)
        return kept(donePage(plainPage))
      })
      yield* router.add("GET", unsubscribePath, show)
      yield* router.add("POST", unsubscribePath, unsubscribe)
    }),
  )

const unknownPage = (plainPage: PlainPage) =>
  plainPage({
    title: "This link does not work",
    body: `<p>It is not complete, or not from this server. Open the link of the email again.</p>`,
  }).pipe(HttpServerResponse.setStatus(404))

const kept = HttpServerResponse.setHeaders({
  "cache-control": "private, no-store",
  // The address has the token.
  "referrer-policy": "no-referrer",
})

/** The form's address is relative, because the server may be below an embedding application's path. */
const askPage = (plainPage: PlainPage, token: string) =>
  plainPage({
    title: "Stop these emails?",
    body: `<p>You get them because you are a recipient of an alert in Footfall. You will get no more emails of this alert. Other alerts and other recipients stay as they are.</p>
<form method="post" action="unsubscribe?token=${encodeURIComponent(token)}"><button class="primary">Unsubscribe</button></form>`,
  })

const donePage = (plainPage: PlainPage) =>
  plainPage({
    title: "You are unsubscribed",
    body: `<p>You get no more emails of this alert. To get them again, ask someone who manages the alerts of your organization to add you.</p>`,
  })
