// A message of Teams' incoming webhooks and workflows: an Adaptive Card. Text of strangers stands in text runs, which
// know no Markdown; the one thing they do know, `{{DATE(…)}}`, is taken apart. At most 28 KB a message. Limits:
// learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors.
import type { Digest, Notice } from "./notice.ts"
import { fitted } from "./text.ts"

/** Units: bytes of the message; Teams refuses more than 28 KB. */
const messageBytesMax = 26_000

const run = (text: string, lengthMax: number, style: object = {}) => ({
  type: "TextRun" as const,
  text: fitted(text.replaceAll("{{", "{ {"), lengthMax),
  ...style,
})

const paragraph = (...inlines: ReadonlyArray<object>) => ({
  type: "RichTextBlock" as const,
  inlines,
})

const open = (url: string) => ({ type: "Action.OpenUrl" as const, title: "Open in Footfall", url })

const message = (body: ReadonlyArray<object>, url: string) => ({
  type: "message" as const,
  attachments: [
    {
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        msteams: { width: "Full" },
        body,
        actions: [open(url)],
      },
    },
  ],
})

const heading = (title: string) => paragraph(run(title, 300, { size: "Medium", weight: "Bolder" }))

export const teamsNotice = ({ facts, title, url }: Notice) =>
  message(
    [
      heading(title),
      ...facts.map(({ name, value }) =>
        // The name is ours.
        paragraph({ type: "TextRun", text: `${name}: `, weight: "Bolder" }, run(value, 500)),
      ),
    ],
    url,
  )

/** As many entries as fit. */
export const teamsDigest = ({ entries, rest, title, url }: Digest) => {
  const withEntries = (count: number) =>
    message(
      [
        heading(title),
        ...entries
          .slice(0, count)
          .map((entry) => paragraph(run(entry.text, 300, { selectAction: open(entry.url) }))),
        ...(rest === null ? [] : [paragraph(run(rest, 100))]),
      ],
      url,
    )
  let count = entries.length
  while (count > 0 && bytesOf(withEntries(count)) > messageBytesMax) count--
  return withEntries(count)
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
