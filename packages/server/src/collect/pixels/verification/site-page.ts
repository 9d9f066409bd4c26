// Parses what a verification needs from a page: its scripts, including pixel tags, and its own policies. A pixel's
// tag is recognized by the end of its URL on any host, because a site may serve the pixel host under its own name.
// Only the HTML as sent is parsed, so tags that scripts add later are missed.
import { Parser } from "htmlparser2"

/** A `<script>` with a URL. */
export interface ScriptTag {
  readonly address: string
  /** By lower-case name; an attribute without a value is an empty text. */
  readonly attributes: Readonly<Record<string, string>>
}

export interface PixelTag extends ScriptTag {
  readonly pixelId: string
  /** The hash in a pinned script's URL. */
  readonly hash: string | undefined
}

export interface SitePage {
  readonly scripts: ReadonlyArray<ScriptTag>
  readonly pixelTags: ReadonlyArray<PixelTag>
  /** `<meta http-equiv="Content-Security-Policy">`, one policy each. */
  readonly policies: ReadonlyArray<string>
  /** `<base href>`; URLs in the page are relative to it. */
  readonly base: string | undefined
}

const pixelAddress =
  /\/p\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-f]{16}))?\.js(?:[?#]|$)/

/**
 * Maximum nesting. No page written by a person is deeper. The parser takes one step per open element, so deeper content
 * is not parsed.
 */
const depthMax = 256
/** Units: UTF-16 code units. */
const pieceLength = 16_384

export const readSitePage = (html: string): SitePage => {
  const scripts: Array<ScriptTag> = []
  const policies: Array<string> = []
  let base: string | undefined
  let depth = 0
  const parser = new Parser({
    onclosetag: () => {
      depth -= 1
    },
    onopentag: (name, attributes) => {
      depth += 1
      const { content, href, "http-equiv": equivalent, src } = attributes
      if (name === "script" && src !== undefined) scripts.push({ address: src.trim(), attributes })
      if (name === "base") base ??= href
      if (name === "meta" && /^content-security-policy$/i.test(equivalent?.trim() ?? ""))
        policies.push(content ?? "")
    },
  })
  const isAPage = () => depth <= depthMax
  for (let at = 0; at < html.length && isAPage(); at += pieceLength) {
    parser.write(html.slice(at, at + pieceLength))
  }
  if (isAPage()) parser.end()
  return { scripts, pixelTags: scripts.flatMap(pixelTagOf), policies, base }
}

const pixelTagOf = (script: ScriptTag): ReadonlyArray<PixelTag> => {
  const [, pixelId, hash] = pixelAddress.exec(script.address) ?? []
  return pixelId === undefined ? [] : [{ ...script, pixelId, hash }]
}
