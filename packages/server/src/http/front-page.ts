// What a person finds who opens the address of the server in a browser: where to go from here. To programs `/`
// is no path of the API and answers as any other unknown path (spec 1.4).
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { notFound } from "./answer.ts"
import type { PlainPage } from "./plain-page.ts"

/** `basePath`: what stands before every path of the server, or nothing. `hasConsole`, `hasDemo`: it is served. */
export interface FrontPageOptions {
  readonly basePath: string
  readonly hasConsole: boolean
  readonly hasDemo: boolean
  readonly plainPage: PlainPage
}

export const FrontPageRoutes = (options: FrontPageOptions) => {
  const page = frontPage(options).pipe(HttpServerResponse.setHeader("vary", "Accept"))
  return HttpRouter.add(
    "GET",
    "/",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      headers["accept"]?.includes("text/html") === true ? Effect.succeed(page) : notFound,
    ),
  )
}

const console = [
  "/console",
  "Console",
  "Who visits, which companies, what was delivered: for everyone who works with it.",
] as const

const demo = [
  "/demo",
  "Demo page",
  "A page with the pixel on it, next to what the server learns about your browser.",
] as const

const places = [
  [
    "/docs",
    "API reference",
    "Every operation, with examples for curl, the SDK and the command line.",
  ],
  ["/openapi.json", "OpenAPI document", "The same reference, machine-readable."],
  [
    "/opt-out",
    "Opt out",
    "Stop this service from recognizing this browser. Opening the page opts you out.",
  ],
] as const

const frontPage = ({ basePath, hasConsole, hasDemo, plainPage }: FrontPageOptions) =>
  plainPage({
    title: "Footfall",
    body: `<p>This server shows its owner who visits their sites.</p>
<dl>
${[...(hasConsole ? [console] : []), ...(hasDemo ? [demo] : []), ...places]
  .map(([to, name, text]) => `<dt><a href="${basePath}${to}">${name}</a></dt>\n<dd>${text}</dd>`)
  .join("\n")}
</dl>`,
  })
