// The server's plain pages: one skeleton and one style in the console's colors and fonts. They need no script and load
// nothing, so they work in every browser and their policy allows only their own style.
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

const layout = `
  body { font: 1.0625rem/1.6 var(--sans); max-width: 36rem; margin: 12vh auto; padding: 0 1.25rem; color: var(--ink); background: var(--paper) }
  h1 { font: 600 1.5rem/1.25 var(--serif) }
  a { color: var(--sea); text-underline-offset: .2em }
  dt { margin-top: 1rem; font-weight: 600 }
  dd { margin: 0 }
  button, a.button { font: inherit; display: inline-block; padding: .5rem 1rem; border: 1px solid currentColor; border-radius: var(--radius); background: none; color: inherit; text-decoration: none; cursor: pointer }
`

/** Two footprints, inlined so that browsers request no icon. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='%230a8a82'%3E%3Cellipse cx='7.5' cy='15' rx='4' ry='7'/%3E%3Cellipse cx='17' cy='8.5' rx='4' ry='7'/%3E%3C/svg%3E"

/** `tokens`: the content of `tokens.css`. */
export const plainPages = (tokens: string) => {
  const style = `\n${tokens}${layout}`
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "img-src data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ")

  /** `title` and `body` are our own HTML; never pass text from a request. */
  return ({ body, title }: { readonly title: string; readonly body: string }) =>
    HttpServerResponse.html(`<!doctype html>
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
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`).pipe(
      HttpServerResponse.setHeaders({
        "content-security-policy": contentSecurityPolicy,
        "referrer-policy": "same-origin",
      }),
    )
}

/** Builds a page from a title and a body. */
export type PlainPage = ReturnType<typeof plainPages>
