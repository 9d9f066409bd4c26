// A Slack incoming-webhook message in Block Kit. Text from strangers only goes into `plain_text`, which has no
// mentions, links or formatting. `&`, `<` and `>` are escaped everywhere, so `<!channel>` stays text. Limits:
// docs.slack.dev/reference/block-kit/blocks.
import { type Digest, type Notice, withEntries, fitted } from "./notice.ts"

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

/** Maximum number of fields in one section. */
const fieldsMax = 10

const header = (title: string) => ({ type: "header" as const, text: plain(title, 150) })

/** The server builds the URL, so it contains no character that would end the link. */
const link = (url: string) => ({
  type: "context" as const,
  elements: [{ type: "mrkdwn" as const, text: `<${url}|Open in Footfall>` }],
})

const message = (title: string, blocks: ReadonlyArray<object>) => ({
  // Shown in notifications.
  text: fitted(title, 1_000, escape),
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
  blocks,
})

export const slackNotice = ({ facts, title, url }: Notice) =>
  message(title, [header(title), ...sectionsOf(facts), link(url)])

const sectionsOf = (facts: Notice["facts"]): ReadonlyArray<object> => {
  if (facts.length === 0) return []
  const fields = facts.slice(0, fieldsMax).map(({ name, value }) => plain(`${name}: ${value}`, 500))
  return [{ type: "section", fields }, ...sectionsOf(facts.slice(fieldsMax))]
}

/** Uses at most 43 of the 50 blocks a message may have. */
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
