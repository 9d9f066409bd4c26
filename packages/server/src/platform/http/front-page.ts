// The server's front page for people: whether it works, and where to go next. It is public, so it shows no organization
// and no counts (spec 5.15). For programs, `/` is an unknown path of the API (spec 1.4).
import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { version } from "../../version.ts"
import { notFound } from "./answer.ts"
import type { PlainPage } from "./plain-page.ts"

/** `behind`: the database responds, but collected events are waiting for a worker. */
export type Health = "ready" | "behind" | "unreachable"

/** `basePath`: the prefix of every path, or nothing. `hasConsole`, `hasDemo`, `hasGuide`: whether it is served. */
export interface FrontPageOptions {
  readonly basePath: string
  readonly hasConsole: boolean
  readonly hasDemo: boolean
  readonly hasGuide: boolean
  readonly health: Effect.Effect<Health>
  readonly startedAt: DateTime.Utc
  readonly plainPage: PlainPage
}

export const FrontPageRoutes = (options: FrontPageOptions) => {
  const page = Effect.map(options.health, (health) =>
    frontPage(options, health).pipe(
      HttpServerResponse.setHeaders({ vary: "Accept", "cache-control": "no-store" }),
    ),
  )
  return HttpRouter.add(
    "GET",
    "/",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      headers["accept"]?.includes("text/html") === true ? page : notFound,
    ),
  )
}

const words = {
  ready: {
    heading: "Footfall is running",
    state: "Ready",
    database: "Answers",
    workers: "Keep up",
  },
  behind: {
    heading: "Footfall is running, but it is behind",
    state: "Behind",
    database: "Answers",
    workers: "Page views have been waiting for more than a minute",
  },
  unreachable: {
    heading: "Footfall is running, but not ready",
    state: "Not ready",
    database: "Not responding, or needs a migration",
    workers: "Wait for the database",
  },
} as const satisfies Record<Health, unknown>

interface Place {
  readonly to: string
  readonly name: string
  readonly text: string
}

const console: Place = {
  to: "/console",
  name: "Console",
  text: "See your visitors and their companies, and what was delivered.",
}

const demo: Place = {
  to: "/demo",
  name: "Demo page",
  text: "A page with the pixel on it, next to what the server learns about your browser.",
}

const guide: Place = {
  to: "/guide/",
  name: "Documentation",
  text: "The tutorial, quick starts, how Footfall works, and how to run it.",
}

const reference: Place = {
  to: "/docs",
  name: "API reference",
  text: "Every operation, with examples for curl, the SDK and the command line.",
}

const style = `
  main { max-width: 64rem; padding-bottom: 2rem }
  .state { display: flex; align-items: center; gap: .5rem; margin-bottom: 1.5rem; font-weight: 600 }
  .state::before { content: ""; width: .75rem; height: .75rem; border-radius: 50%; background: var(--signal); box-shadow: 0 0 0 4px var(--sea-tint) }
  .state.behind::before, .state.unreachable::before { border-radius: 2px; background: var(--amber); box-shadow: 0 0 0 4px var(--amber-tint) }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: 1px; margin: 0 0 2.5rem; border: 1px solid var(--rule-2); border-radius: var(--r3); background: var(--rule-2); overflow: hidden }
  dl div { padding: .875rem 1.25rem; background: var(--raised) }
  dt { color: var(--ink-2); font-size: 0.8125rem }
  dd { margin: 0; font-variant-numeric: tabular-nums }
  ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14.5rem, 100%), 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none }
  li a { display: block; height: 100%; padding: 1.25rem; border: 1px solid var(--rule-2); border-radius: var(--r3); background: var(--raised); color: inherit; text-decoration: none }
  li a:hover { border-color: var(--sea); box-shadow: var(--float) }
  li b { display: block; margin-bottom: .25rem; color: var(--sea); font: 600 1.1875rem/1.3 var(--serif) }
  li b::after { content: " →" }
  li span { color: var(--ink-2); font-size: .9375rem }
  footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin-top: 3rem; padding-top: 1.25rem; border-top: 1px solid var(--rule-2); color: var(--ink-2); font-size: .9375rem }
  @media (min-width: 120rem) { html { font-size: 1.25rem } }
`

const frontPage = (options: FrontPageOptions, health: Health) => {
  const { basePath, hasConsole, hasDemo, hasGuide, plainPage, startedAt } = options
  const { database, heading, state, workers } = words[health]
  const places = [
    ...(hasConsole ? [console] : []),
    ...(hasDemo ? [demo] : []),
    ...(hasGuide ? [guide] : []),
    reference,
  ]
  const since = DateTime.formatIso(startedAt)
  return plainPage({
    title: "Footfall",
    heading,
    style,
    body: `<p>This server shows its owner who visits their websites.</p>
<p class="state ${health}">${state}</p>
<dl>
<div><dt>Version</dt><dd>${version}</dd></div>
<div><dt>Running since</dt><dd><time datetime="${since}">${since.slice(0, 10)} ${since.slice(11, 16)} UTC</time></dd></div>
<div><dt>Database</dt><dd>${database}</dd></div>
<div><dt>Workers</dt><dd>${workers}</dd></div>
</dl>
<ul>
${places
  .map(
    ({ name, text, to }) =>
      `<li><a href="${basePath}${to}"><b>${name}</b><span>${text}</span></a></li>`,
  )
  .join("\n")}
</ul>
<footer>
<span>For your tools: <a href="${basePath}/openapi.json">OpenAPI document</a></span>
<span>Did a website send you here? <a href="${basePath}/opt-out">Opt this browser out</a></span>
</footer>`,
  })
}
