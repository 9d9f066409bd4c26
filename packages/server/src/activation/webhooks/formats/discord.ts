// A Discord webhook message with one embed. Mentions are off, and every character that Discord reads as Markdown, a
// mention, an emoji or a link is escaped, so `[x](y)` and `@everyone` stay text. Limits:
// discord.com/developers/docs/resources/message#embed-object-embed-limits.
import { type Digest, type Notice, withEntries, fitted } from "./notice.ts"

const signs = new Set("\\*_~`|>#[]()<:@")
const escape = (character: string): string => (signs.has(character) ? `\\${character}` : character)

const titleMax = 256
const nameMax = 256
/** Discord allows 1,024, but 12 fields must stay below the 6,000 characters of an embed. */
const valueMax = 450
/** Discord allows 4,096. */
const descriptionMax = 4_000

const message = <Embed extends object>(embed: Embed) => ({
  allowed_mentions: { parse: [] },
  embeds: [embed] as const,
})

export const discordNotice = ({ facts, title, url }: Notice) =>
  message({
    title: fitted(title, titleMax, escape),
    url,
    fields: facts.map(({ name, value }) => ({
      name: fitted(name, nameMax, escape),
      value: fitted(value, valueMax, escape),
    })),
  })

export const discordDigest = (digest: Digest) =>
  withEntries(
    digest,
    (entries, rest) =>
      message({
        title: fitted(digest.title, titleMax, escape),
        url: digest.url,
        description: [
          ...entries.map((entry) => `[${fitted(entry.text, 300, escape)}](${entry.url})`),
          ...(rest === null ? [] : [fitted(rest, 100, escape)]),
        ].join("\n"),
      }),
    ({ embeds: [{ description }] }) => description.length <= descriptionMax,
  )
