// A message of Slack's incoming webhooks, in Block Kit. Text of strangers stands in `plain_text` alone, which knows no
// mentions, links or formatting; `&`, `<` and `>` are escaped everywhere, so that `<!channel>` stays text. Limits:
// docs.slack.dev/reference/block-kit/blocks.
import { type Digest, type Notice, withEntries } from "./notice.ts"
import { fitted } from "./text.ts"

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
])
const escape = (character: string): string => entities.get(character) ?? character

const plain = (text: string, lengthMax: number) => ({
  type: "plain_text" as const,
  text: fitted(text, lengthMax, escape),
  emoji: false,
})

const header = (title: string) => ({ type: "header" as const, text: plain(title, 150) })

/** The address is ours, and has no character that ends it. */
const link = (url: string) => ({
  type: "context" as const,
  elements: [{ type: "mrkdwn" as const, text: `<${url}|Open in Footfall>` }],
})

const message = (title: string, blocks: ReadonlyArray<object>) => ({
  // What notifications show.
  text: fitted(title, 1_000, escape),
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
  blocks,
})

export const slackNotice = ({ facts, title, url }: Notice) =>
  message(title, [
    header(title),
    ...(facts.length === 0
      ? []
      : [
          {
            type: "section",
            fields: facts.map(({ name, value }) => plain(`${name}: ${value}`, 500)),
          },
        ]),
    link(url),
  ])

/** At most 43 of the 50 blocks that a message may have. */
export const slackDigest = (digest: Digest) =>
  withEntries(digest, (entries, rest) =>
    message(digest.title, [
      header(digest.title),
      ...entries.flatMap((entry) => [
        { type: "section", text: plain(entry.text, 500) },
        link(entry.url),
      ]),
      ...(rest === null ? [] : [{ type: "section", text: plain(rest, 100) }]),
      link(digest.url),
    ]),
  )
