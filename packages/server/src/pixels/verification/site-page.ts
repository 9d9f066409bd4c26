// What a verification looks at of a page: its scripts, the tags of pixels among them, and the policies it
// sets for itself. A pixel's tag is known by the end of its address, on whatever host, because a site may
// serve the pixel host under a name of its own. Reads what was sent; a tag that a script of the page adds
// later is not in it.
import { Parser } from "htmlparser2"

/** A `<script>` with an address. */
export interface ScriptTag {
  readonly address: string
  /** By lower-case name; an attribute without a value is an empty text. */
  readonly attributes: Readonly<Record<string, string>>
}

export interface PixelTag extends ScriptTag {
  readonly pixelId: string
  /** The hash in the address of a pinned script. */
  readonly hash: string | undefined
}

export interface SitePage {
  readonly scripts: ReadonlyArray<ScriptTag>
  readonly pixelTags: ReadonlyArray<PixelTag>
  /** `<meta http-equiv="Content-Security-Policy">`, one policy each. */
  readonly policies: ReadonlyArray<string>
  /** `<base href>`; addresses of the page are relative to it. */
  readonly base: string | undefined
}

const pixelAddress =
  /\/p\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.([0-9a-f]{16}))?\.js(?:[?#]|$)/

export const readSitePage = (html: string): SitePage => {
  const scripts: Array<ScriptTag> = []
  const policies: Array<string> = []
  let base: string | undefined
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const { content, href, "http-equiv": equivalent, src } = attributes
      if (name === "script" && src !== undefined) scripts.push({ address: src.trim(), attributes })
      if (name === "base") base ??= href
      if (name === "meta" && /^content-security-policy$/i.test(equivalent?.trim() ?? ""))
        policies.push(content ?? "")
    },
  })
  parser.end(html)
  return { scripts, pixelTags: scripts.flatMap(pixelTagOf), policies, base }
}

const pixelTagOf = (script: ScriptTag): ReadonlyArray<PixelTag> => {
  const [, pixelId, hash] = pixelAddress.exec(script.address) ?? []
  return pixelId === undefined ? [] : [{ ...script, pixelId, hash }]
}
