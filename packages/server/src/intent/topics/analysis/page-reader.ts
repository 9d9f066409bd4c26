// Parses a page piece by piece into what a person would read: title, description and the body's text block by block,
// headings with their level; without navigation, footer, scripts, forms and hidden parts. A large page never blocks the
// process, because the caller can do other work between pieces.
import { Parser } from "htmlparser2"

export interface PageBlock {
  readonly text: string
  /** 1 to 6; 0 for text that is not a heading. */
  readonly level: number
}

export interface ReadPage {
  /** As given in the page, such as `en-GB`. */
  readonly language: string | null
  readonly title: string | null
  readonly description: string | null
  /** What the page calls its site or organization. */
  readonly name: string | null
  readonly blocks: ReadonlyArray<PageBlock>
  /** The page's links as written, including those in its navigation. */
  readonly links: ReadonlyArray<string>
}

/**
 * Maximum nesting; deeper elements and everything after them are not read. The parser takes one step per open element,
 * so depth could make a small page slow.
 */
export const depthMax = 256

/** Maximum length of a title or description. Units: UTF-16 code units. */
const lineLengthMax = 1_000
/** Maximum links read per page, and their maximum length. Units: UTF-16 code units. */
const linksMax = 300
const linkLengthMax = 2_048
/** Maximum length of an organization's structured data. Units: UTF-16 code units. */
const structuredLengthMax = 65_536

const skipped: ReadonlySet<string> = new Set(
  (
    "nav footer script style template noscript form button select textarea dialog " +
    "svg math iframe object video audio canvas"
  ).split(" "),
)
const skippedRoles: ReadonlySet<string> = new Set(
  "navigation contentinfo search dialog alertdialog menu menubar".split(" "),
)
const inline: ReadonlySet<string> = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp " +
    "small span strike strong sub sup time tt u var wbr"
  ).split(" "),
)
/** Some pages hide themselves until a script has run. */
const neverHidden: ReadonlySet<string> = new Set(["html", "head", "body"])

type Attributes = Readonly<Record<string, string>>

export class PageReader {
  readonly #blocks: Array<PageBlock> = []
  readonly #links = new Set<string>()
  readonly #meta = new Map<string, string>()
  readonly #parser: Parser
  #organization: string | undefined
  #language: string | null = null
  #title: string | undefined
  #depth = 0
  #isTooDeep = false
  /** Open elements, counted from the first skipped one. */
  #skipping = 0
  #level = 0
  #text = ""
  /** Content captured from elements that are not text of the page. */
  #captured: { readonly element: "title" | "script"; text: string } | undefined

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => this.#read(text),
      onclosetag: (name) => this.#close(name),
    })
  }

  /** The next piece, from the start of the page. Best at most 16 KiB. */
  write(html: string): void {
    if (!this.#isTooDeep) this.#parser.write(html)
  }

  /** Returns what was read. Nothing may be written after it. */
  end(): ReadPage {
    if (!this.#isTooDeep) this.#parser.end()
    this.#endBlock()
    return {
      language: this.#language,
      title: lineOf(this.#title),
      description: lineOf(this.#meta.get("description") ?? this.#meta.get("og:description")),
      name: lineOf(this.#meta.get("og:site_name") ?? this.#organization),
      blocks: this.#blocks,
      links: [...this.#links],
    }
  }

  #open(name: string, attributes: Attributes): void {
    this.#depth += 1
    this.#isTooDeep ||= this.#depth > depthMax
    if (this.#isTooDeep) return
    if (name === "a") this.#link(attributes["href"]?.trim())
    if (name === "html") this.#language ??= attributes["lang"]?.trim() || null
    if (this.#skipping > 0 || isSkipped(name, attributes)) {
      this.#skipping += 1
      if (this.#skipping > 1) return
      if (name === "script" && /^application\/ld\+json/i.test(attributes["type"]?.trim() ?? ""))
        this.#captured = { element: "script", text: "" }
    }
    if (!inline.has(name)) this.#endBlock()
    if (name === "meta") this.#readMeta(attributes)
    if (name === "title") this.#captured = { element: "title", text: "" }
    if (/^h[1-6]$/.test(name)) this.#level = Number(name[1])
  }

  #link(href: string | undefined): void {
    if (!href || href.length > linkLengthMax || this.#links.size >= linksMax) return
    this.#links.add(href)
  }

  #readMeta({ content, name, property }: Attributes): void {
    const key = (property ?? name ?? "").trim().toLowerCase()
    if (content?.trim() && !this.#meta.has(key)) this.#meta.set(key, content)
  }

  #read(text: string): void {
    if (this.#isTooDeep) return
    if (this.#captured !== undefined) {
      if (this.#captured.text.length <= structuredLengthMax) this.#captured.text += text
    } else if (this.#skipping === 0) this.#text += text
  }

  #close(name: string): void {
    this.#depth -= 1
    if (this.#isTooDeep) return
    if (this.#captured?.element === name) {
      const { element, text } = this.#captured
      if (element === "title") this.#title ??= text
      else if (text.length <= structuredLengthMax) this.#organization ??= organizationName(text)
      this.#captured = undefined
    }
    if (this.#skipping > 0) this.#skipping -= 1
    else if (!inline.has(name)) this.#endBlock()
    if (/^h[1-6]$/.test(name)) this.#level = 0
  }

  #endBlock(): void {
    const text = plain(this.#text)
    this.#text = ""
    if (text !== "") this.#blocks.push({ text, level: this.#level })
  }
}

const isSkipped = (name: string, attributes: Attributes): boolean =>
  skipped.has(name) ||
  (!neverHidden.has(name) &&
    (attributes["hidden"] !== undefined ||
      attributes["aria-hidden"] === "true" ||
      skippedRoles.has(attributes["role"]?.trim().toLowerCase() ?? "") ||
      /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes["style"] ?? "")))

/** Joins the text on one line and removes characters that text columns reject. */
const plain = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- removes exactly these
    .replaceAll(/[\s\u0000-\u001f\u007f\u00ad\u200b-\u200f\u2060\ufeff]+/g, (found) =>
      /\s/.test(found) ? " " : "",
    )
    .trim()
    .toWellFormed()

const lineOf = (text: string | undefined): string | null =>
  text === undefined ? null : plain(text.slice(0, lineLengthMax)) || null

// The organization's name in a page's structured data (schema.org in JSON-LD). Invalid data names no one.
const organizationTypes =
  /^(?:https?:\/\/schema\.org\/)?(?:\w*Organization|Corporation|\w*Business|NGO|Brand)$/

export const organizationName = (json: string): string | undefined => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  for (const node of nodesOf(value)) {
    const { "@type": type, name } = node
    const types = Array.isArray(type) ? type : [type]
    const isOrganization = types.some(
      (one) => typeof one === "string" && organizationTypes.test(one),
    )
    if (isOrganization && typeof name === "string" && name.trim() !== "") return name
  }
  return undefined
}

type Node = Readonly<Record<string, unknown>>

/** The objects that may describe the publisher: the document's own, those of its graph, and their members. */
const nodesOf = (value: unknown): ReadonlyArray<Node> => {
  const tops = listOf(value).flatMap((top) => [top, ...listOf(top["@graph"])])
  return tops.flatMap((node) => [node, ...listOf(node["publisher"]), ...listOf(node["author"])])
}

const listOf = (value: unknown): ReadonlyArray<Node> =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is Node => typeof one === "object" && one !== null && !Array.isArray(one),
  )
