// What a person finds who opens the address of the server in a browser: where to go from here. To programs `/`
// is no path of the API and answers as any other unknown path (spec 1.4).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { notFound } from "./answer.ts"
import { contentSecurityPolicy, plainPage } from "./plain-page.ts"

/** `basePath`: what stands before every path of the server, or nothing. `hasDemo`: its page is served. */
export interface FrontPageOptions {
  readonly basePath: string
  readonly hasDemo: boolean
}

export const FrontPageRoutes = (options: FrontPageOptions) => {
  const page = HttpServerResponse.html(frontPage(options)).pipe(
    HttpServerResponse.setHeaders({
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "same-origin",
      vary: "Accept",
    }),
  )
  return HttpRouter.add(
    "GET",
    "/",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      headers["accept"]?.includes("text/html") === true ? Effect.succeed(page) : notFound,
    ),
  )
}

const demo = [
  "/demo",
  "Demo page",
  "A site with the pixel on it, and beside it what the server learns about your browser.",
] as const

const places = [
  ["/docs", "API reference", "Every operation, to read and to try."],
  ["/openapi.json", "OpenAPI document", "The same, for programs."],
  ["/opt-out", "Opt out", "Opening that page keeps this browser from being recognized."],
] as const

const frontPage = ({ basePath, hasDemo }: FrontPageOptions): string =>
  plainPage({
    title: "Footfall",
    body: `<p>This server tells its owner who visits their sites.</p>
<dl>
${(hasDemo ? [demo, ...places] : places)
  .map(([to, name, text]) => `<dt><a href="${basePath}${to}">${name}</a></dt>\n<dd>${text}</dd>`)
  .join("\n")}
</dl>`,
  })
