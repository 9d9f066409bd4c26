// A message of Discord's webhooks: one embed. Mentions are switched off, and every sign that Discord reads as Markdown,
// a mention, an emoji or an address is escaped, so that `[x](y)` and `@everyone` stay text. Limits:
// discord.com/developers/docs/resources/message#embed-object-embed-limits.
import { type Digest, type Notice, withEntries } from "./notice.ts"
import { fitted } from "./text.ts"

const signs = new Set("\\*_~`|>#[]()<:@")
const escape = (character: string): string => (signs.has(character) ? `\\${character}` : character)

const titleMax = 256
const nameMax = 256
/** Of 1,024, so that 8 fields stay below the 6,000 characters that an embed may have. */
const valueMax = 700
/** Of 4,096. */
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
