// The page of the opt-out (decisions.md 6.6): says what is so now and holds the way to the other choice.
// Needs no script and loads nothing, so it works in every browser.
import { createHash } from "node:crypto"

/** What a browser has chosen. */
export type Choice = "out" | "in"

const style = `
  body { font: 1.0625rem/1.6 system-ui, sans-serif; max-width: 36rem; margin: 12vh auto; padding: 0 1.25rem; color: #1d2429; background: #fff }
  h1 { font-size: 1.5rem; line-height: 1.25 }
  button, a.button { font: inherit; display: inline-block; padding: .5rem 1rem; border: 1px solid currentColor; border-radius: .375rem; background: none; color: inherit; text-decoration: none; cursor: pointer }
  @media (prefers-color-scheme: dark) { body { color: #e6eaed; background: #14181b } }
`

export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

// Addresses are relative: the page may stand below a path of an embedding application. Taking a choice
// back is a POST, so that no other site can do it with an image or a link.
const texts = {
  out: {
    title: "You are opted out",
    paragraphs: [
      "Websites that use this service can no longer recognise this browser through it. The choice is a cookie that is kept for 13 months; if you delete your cookies, choose again.",
      "It holds for this browser. A browser that blocks cookies of other sites does not send it: there, switch on Global Privacy Control, which is honoured as well.",
    ],
    other: `<form method="post" action="opt-out"><button>Opt in again</button></form>`,
  },
  in: {
    title: "You are opted in",
    paragraphs: [
      "The opt-out cookie is deleted. Websites that use this service may recognise this browser again, as far as their own settings and your consent allow.",
    ],
    other: `<a class="button" href="opt-out">Opt out</a>`,
  },
} as const satisfies Record<Choice, unknown>

export const optOutPage = (choice: Choice): string => {
  const { other, paragraphs, title } = texts[choice]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}
${other}
</main>
</body>
</html>
`
}
