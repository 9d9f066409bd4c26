// The server's plain pages: one skeleton, and one style in the console's colors and fonts. A page needs no script and
// loads nothing, so it works in every browser, and its policy allows only its own style.
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

const layout = `
  * { box-sizing: border-box }
  body { font: 1.0625rem/1.6 var(--sans); margin: 0; min-height: 100vh; color: var(--ink); background: var(--paper); -webkit-font-smoothing: antialiased }
  main { max-width: 40rem; margin: 0 auto; padding: clamp(2rem, 12vh, 8rem) 1.25rem 3rem }
  .brand { display: flex; align-items: center; gap: .5rem; margin: 0 0 2rem; font: 600 1.125rem/1 var(--serif) }
  .brand svg { width: 1.5rem; fill: var(--sea) }
  h1 { margin: 0 0 1rem; font: 600 clamp(1.75rem, 4vw, 2.5rem)/1.15 var(--serif); letter-spacing: -.015em; text-wrap: balance }
  h2 { margin: 2.5rem 0 .5rem; font: 600 1.125rem/1.3 var(--serif) }
  p { margin: 0 0 1rem; max-width: 36rem }
  a { color: var(--sea); text-underline-offset: .2em }
  code { padding: .1em .35em; border-radius: 4px; background: var(--well); font: .875em var(--mono); overflow-wrap: anywhere }
  .note { padding: .75rem 1rem; border: 1px solid var(--rule-2); border-radius: var(--r2); background: var(--sea-tint) }
  button { padding: .625rem 1.25rem; border: 1px solid var(--edge); border-radius: var(--r2); background: var(--raised); color: inherit; font: 600 1rem/1.3 var(--sans); cursor: pointer }
  button.primary { border-color: var(--sea); background: var(--sea); color: var(--on-sea) }
  :focus-visible { outline: 2px solid var(--sea); outline-offset: 3px }
`

/** One footprint, in a box of 10 × 18. */
const sole =
  "M4.7.3C7.6.3 9.6 2.9 9.6 6.3c0 2.3-.8 3.9-1 5.9-.3 3.2-1.2 5.5-3.4 5.5s-3.1-1.8-2.9-4.3c.2-2.2-.4-3.5-1.1-5.4C.2 5.1 1 .3 4.7.3z"

/** The two footprints of the mark. */
const prints = `<path d='${sole}' transform='translate(11.4 5.8) rotate(-5 -5 9) scale(-.94 .94)'/><path d='${sole}' transform='translate(12.6 1) rotate(5 5 9) scale(.94)'/>`

/** Inlined so that browsers request no icon. */
const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='#0a8a82'>${prints}</svg>`)}`

export interface PlainPageParts {
  /** The window's title, and the heading unless `heading` differs. */
  readonly title: string
  readonly heading?: string
  readonly body: string
  /** CSS in addition to that of every page. */
  readonly style?: string
}

/** `tokens`: the content of `tokens.css`. */
export const plainPages = (tokens: string) => {
  const policyOf = (style: string) =>
    [
      "default-src 'none'",
      `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
      "img-src data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; ")

  /** All parts are our own HTML and CSS; never pass text from a request. */
  return ({ body, style: more = "", title, heading = title }: PlainPageParts) => {
    const style = `\n${tokens}${layout}${more}`
    return HttpServerResponse.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<main>
<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true">${prints}</svg>Footfall</p>
<h1>${heading}</h1>
${body}
</main>
</body>
</html>
`).pipe(
      HttpServerResponse.setHeaders({
        "content-security-policy": policyOf(style),
        "referrer-policy": "same-origin",
      }),
    )
  }
}

/** Builds a page from its parts. */
export type PlainPage = ReturnType<typeof plainPages>

// Escapes text for HTML.
const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  }),
)

/** Safe in elements and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (one) => entities.get(one)!)
