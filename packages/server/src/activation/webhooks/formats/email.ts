// An email about a visitor, company or page view, as HTML and text. Tables and inline styles, because mail programs know
// little else. Text from strangers is escaped, on one line, and broken up with invisible characters where a mail program
// would make a link of it; the only links lead to the console.
import { escaped } from "../../../platform/http/plain-page.ts"
import { type Digest, type Fact, fitted, type Notice, withEntries } from "./notice.ts"

/** What every recipient gets. It has no end yet: see `addressed`. */
export interface AlertLetter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The end of an email, which differs by recipient. */
export interface LetterEnd {
  readonly webhookName: string
  readonly unsubscribeUrl: string
}

const subjectMax = 200
const titleMax = 200
const valueMax = 250

export const emailNotice = ({ facts, title, url }: Notice): AlertLetter => ({
  subject: fitted(title, subjectMax),
  text: textOf([
    shownText(title, titleMax),
    facts.map((fact) => `${fact.name}: ${valueOf(fact, shownText)}`).join("\n"),
    `Open in Footfall:\n${url}`,
  ]),
  html: page(
    title,
    facts
      .map(
        (fact) =>
          `<tr><td class="soft" style="${cell}width:96px;color:#5f6f6c">${escaped(fact.name)}</td>` +
          `<td style="${cell}word-break:break-word">${valueOf(fact, shownHtml)}</td></tr>`,
      )
      .join("\n"),
    url,
  ),
})

export const emailDigest = (digest: Digest): AlertLetter =>
  withEntries(digest, (entries, rest) => ({
    subject: fitted(digest.title, subjectMax),
    text: textOf([
      shownText(digest.title, titleMax),
      ...entries.map((entry) => `${shownText(entry.text, titleMax)}\n${entry.url}`),
      rest ?? "",
      `Open in Footfall:\n${digest.url}`,
    ]),
    html: page(
      digest.title,
      [
        ...entries.map(
          (entry) =>
            `<tr><td class="line" style="${row}word-break:break-word">${shownHtml(entry.text, titleMax)}</td>` +
            `<td class="line" style="${row}width:48px" align="right"><a class="link" href="${escaped(entry.url)}" style="${link}">Open</a></td></tr>`,
        ),
        ...(rest === null
          ? []
          : [`<tr><td class="soft" style="${cell}color:#5f6f6c">${rest}</td></tr>`]),
      ].join("\n"),
      digest.url,
    ),
  }))

/** The letter as one recipient gets it. */
export const addressed = (
  { html, subject, text }: AlertLetter,
  { unsubscribeUrl, webhookName }: LetterEnd,
): AlertLetter => ({
  subject,
  text:
    `${text}\n-- \nYou get this email because you are a recipient of the alert "${shownText(webhookName, 160)}".\n` +
    `Unsubscribe:\n${unsubscribeUrl}\n`,
  // Escaped text contains no such comment.
  html: html.replace(
    endMark,
    () =>
      `<p class="soft" style="margin:16px 4px 0;font-size:13px;line-height:20px;color:#5f6f6c">You get this email because you are a recipient of the alert “${shownHtml(webhookName, 160)}”. <a href="${escaped(unsubscribeUrl)}" class="soft" style="color:#5f6f6c">Unsubscribe</a></p>`,
  ),
})

const endMark = "<!-- end -->"

const cell = "padding:4px 12px 4px 0;vertical-align:top;"
const row = "padding:8px 12px 8px 0;vertical-align:top;border-bottom:1px solid #dfe5e3;"
const link = "color:#0a7a73;font-weight:600"

/** The values that Footfall has checked: an address and a domain, to be copied. */
const copied = new Set(["Email", "Domain"])

const valueOf = ({ name, value }: Fact, shown: (text: string, lengthMax: number) => string) =>
  copied.has(name)
    ? shown === shownHtml
      ? fitted(value, valueMax, escaped)
      : fitted(value, valueMax)
    : shown(value, valueMax)

/** A mail program finds an address by its dots or its scheme. */
const isSeam = (character: string): boolean => character === "." || character === ":"

const shownText = (text: string, lengthMax: number): string =>
  fitted(text, lengthMax, (character) => (isSeam(character) ? `${character}\u200c` : character))

const shownHtml = (text: string, lengthMax: number): string =>
  fitted(text, lengthMax, (character) =>
    isSeam(character) ? `${character}&zwnj;` : escaped(character),
  )

const textOf = (parts: ReadonlyArray<string>): string =>
  `${parts.filter((part) => part !== "").join("\n\n")}\n`

/** `rows`: table rows. Dark mail programs get dark colors where they read styles, and may adapt these where not. */
const page = (title: string, rows: string, url: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${shownHtml(title, titleMax)}</title>
<style>
@media (prefers-color-scheme: dark) {
.page { background: #14191a !important }
.card { background: #1e2526 !important; color: #eef3f2 !important }
.soft { color: #a5b5b2 !important }
.line { border-color: #37423f !important }
.link { color: #57c8bf !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f6f5">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f3f6f5">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;font-family:Helvetica,Arial,sans-serif">
<tr><td class="card" style="padding:24px;border-radius:8px;background:#ffffff;color:#1c2423;font-size:15px;line-height:22px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;word-break:break-word">${shownHtml(title, titleMax)}</h1>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="font-size:15px;line-height:22px">
${rows}
</table>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:20px">
<tr><td bgcolor="#0a7a73" style="border-radius:6px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 18px;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">Open in Footfall</a></td></tr>
</table>
</td></tr>
<tr><td style="font-size:13px">${endMark}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
