// A message for Teams incoming webhooks and workflows: an Adaptive Card. Text from strangers only goes into text runs,
// which ignore Markdown; the one thing they interpret, `{{DATE(…)}}`, is broken up. Teams accepts 28 KB, more than any
// body we send. Limits: learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors.
import { type Digest, type Notice, withEntries, fitted } from "./notice.ts"

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
        // We choose this name, so it needs no escaping.
        paragraph({ type: "TextRun", text: `${name}: `, weight: "Bolder" }, run(value, 500)),
      ),
    ],
    url,
  )

export const teamsDigest = (digest: Digest) =>
  withEntries(digest, (entries, rest) =>
    message(
      [
        heading(digest.title),
        ...entries.map((entry) =>
          paragraph(run(entry.text, 300, { selectAction: open(entry.url) })),
        ),
        ...(rest === null ? [] : [paragraph(run(rest, 100))]),
      ],
      digest.url,
    ),
  )
