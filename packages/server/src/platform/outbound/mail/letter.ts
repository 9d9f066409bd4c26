// An email of a few plain paragraphs, as text and as equivalent HTML. Its content is escaped.
import { escaped } from "../../http/plain-page.ts"

export interface Letter {
  readonly paragraphs: ReadonlyArray<string>
  /** Follows the paragraphs. */
  readonly link?: { readonly label: string; readonly url: string }
  /** The last paragraph. */
  readonly closing?: string
}

export const letterBodies = ({
  closing,
  link,
  paragraphs,
}: Letter): { readonly text: string; readonly html: string } => ({
  text:
    [...paragraphs, ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]), closing]
      .filter((part) => part !== undefined)
      .join("\n\n") + "\n",
  html: [
    `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">`,
    ...paragraphs.map(paragraph),
    ...(link === undefined
      ? []
      : [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`]),
    ...(closing === undefined ? [] : [paragraph(closing)]),
    "</body></html>",
  ].join("\n"),
})

const paragraph = (text: string): string => `<p>${escaped(text).replaceAll("\n", "<br>")}</p>`
