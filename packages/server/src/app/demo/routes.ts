// The demo page and the route it polls, only with `--demo`. The page needs no credentials: its one data route serves
// only the demo's own organization, one browser id at a time.
import { DateTime, Effect, FileSystem, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused } from "../../platform/http/answer.ts"
import { success } from "../../platform/http/envelope.ts"
import { hasOptedOut } from "../../collect/pixels/opt-out/opt-out.ts"
import { Secrets } from "../../platform/secrets/secrets.ts"
import type { ListScope } from "../../people/visitors/list-scope.ts"
import { sessionSummaryOf } from "../../people/visitors/sessions/session-summary.ts"
import { SessionStore } from "../../people/visitors/sessions/store.ts"
import { VisitorStore } from "../../people/visitors/store.ts"
import { visitorOf } from "../../people/visitors/visitor.ts"
import { deviceType } from "../../collect/visits/device.ts"
import type { DemoInstallation } from "./demo.ts"
import { DemoStore } from "./store.ts"

/** The sub-pages of the demo; all of them are one document that navigates with pushState. */
const pages = ["/demo", "/demo/pricing", "/demo/book-demo", "/demo/blog"] as const
/** Files from the assets folder. */
const assets = [
  { file: "tokens.css", type: "text/css" },
  { file: "demo/demo.css", type: "text/css" },
  { file: "demo/demo.js", type: "text/javascript" },
  { file: "demo/unseen.js", type: "text/javascript" },
] as const
const sessionsMax = 20

export const demoRoutes = [
  ...pages.map((path) => ({ method: "GET", path })),
  { method: "GET", path: "/demo/assets/:file" },
  { method: "GET", path: "/demo/visitor" },
  { method: "GET", path: "/demo/browser" },
] as const

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** The installation, and the other values that its page shows. */
export interface ShownDemo extends DemoInstallation {
  /** How to call the command line in a shell here. */
  readonly commandLine: string
}

/** `directory`: the folder of assets. */
export const DemoRoutes = (demo: ShownDemo, directory: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const document = yield* Effect.orDie(files.readFileString(`${directory}/demo/index.html`))
      const html = document
        .replaceAll("{{pixelTag}}", `<script async src="/p/${demo.pixelId}.js"></script>`)
        .replaceAll("{{commandLine}}", demo.commandLine)
      const page = HttpServerResponse.html(html).pipe(
        HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy),
      )
      for (const path of pages) yield* router.add("GET", path, page)
      for (const { file, type } of assets) {
        const text = yield* Effect.orDie(files.readFileString(`${directory}/${file}`))
        yield* router.add(
          "GET",
          `/demo/assets/${file.replace("demo/", "")}`,
          HttpServerResponse.text(text, { contentType: `${type}; charset=utf-8` }),
        )
      }
      yield* router.add("GET", "/demo/visitor", yield* browserState(demo))
      yield* router.add("GET", "/demo/browser", requestingBrowser)
    }),
  )

/**
 * What the browser's request reveals and its page cannot read: the opt-out cookie, and the device type of its user
 * agent.
 */
const requestingBrowser = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return HttpServerResponse.jsonUnsafe(
    yield* success({
      optedOut: hasOptedOut(headers["cookie"]),
      isBot: deviceType(headers["user-agent"]) === "bot",
    }),
  ).pipe(HttpServerResponse.setHeader("cache-control", "no-store"))
})

const BrowserId = Schema.Struct({ anonymousId: Schema.String.check(Schema.isUUID()) })

const browserState = Effect.fnUntraced(function* ({ organizationId }: DemoInstallation) {
  const store = yield* DemoStore
  const visitors = yield* VisitorStore
  const sessionStore = yield* SessionStore
  const secrets = yield* Secrets
  const state = Effect.gen(function* () {
    const scope: ListScope = {
      organizationId,
      pixelId: undefined,
      isEmpty: false,
      timeframe: "all",
      asOf: yield* DateTime.now,
      from: undefined,
      suppressed: "include",
    }
    const { anonymousId } = yield* HttpServerRequest.schemaSearchParams(BrowserId)
    const { emailHash, events, pendingEvents } = yield* store.browser(organizationId, anonymousId)
    const visitor = emailHash === null ? undefined : yield* visitors.find(scope, emailHash)
    const sessions = yield* sessionStore.list(
      scope,
      emailHash === null ? { anonymousId } : { emailHash },
      { order: "desc", limit: sessionsMax },
    )
    return HttpServerResponse.jsonUnsafe(
      yield* success({
        events,
        pendingEvents,
        // Anyone may see the demo, but not who works for its organization.
        visitor: visitor === undefined ? null : visitorOf({ ...visitor, owner: null, tags: [] }),
        sessions: sessions.map((row) => sessionSummaryOf(row, secrets)),
      }),
    )
  })
  return Effect.catchTag(state, "SchemaError", () =>
    refused({
      code: "VALIDATION_ERROR",
      message: "The parameter anonymousId is required and must be a UUID.",
      details: {
        issues: [{ path: "/query/anonymousId", code: "format", message: "Expected a UUID." }],
      },
    }),
  )
})
