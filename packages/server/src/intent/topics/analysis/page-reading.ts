// Everything that an analysis takes from a page alone: decodes and parses it, and finds its words, keywords, company and
// summary. Runs in a thread of its own (page-threads.ts), because strangers choose the page.
import { createHash } from "node:crypto"
import { PageReader, type ReadPage } from "./page-reader.ts"
import { keywordsOf, pageTerms, type PageTerms } from "./page-terms.ts"
import type { StopWords } from "./stop-words.ts"

export interface FetchedPage {
  readonly body: Uint8Array
  /** The header. */
  readonly contentType: string | undefined
  readonly host: string
}

export interface PageReading extends Pick<ReadPage, "title" | "links"> {
  readonly company: string | null
  readonly summary: string | null
  readonly keywords: ReadonlyArray<string>
  readonly contentHash: string
  readonly terms: PageTerms
}

/** Undefined if the page has no text. */
export const readingOf = (
  { body, contentType, host }: FetchedPage,
  stopWords: StopWords,
): PageReading | undefined => {
  const reader = new PageReader()
  reader.write(decodePage(body, contentType))
  const page = reader.end()
  // A title alone is no content; every error page has one.
  if (page.description === null && page.blocks.length === 0) return undefined
  const terms = pageTerms(page, stopWords.english)
  return {
    title: page.title,
    links: page.links,
    company: companyOf(page, host),
    summary: summaryOf(page),
    keywords: keywordsOf(terms, stopWords.forLanguage(page.language)),
    contentHash: hashOf(page),
    terms,
  }
}

/** Hashes the readable text only, so a new script or menu changes nothing. SHA-256 in lowercase hex. */
const hashOf = ({ blocks, description, title }: ReadPage): string =>
  createHash("sha256")
    .update([title ?? "", description ?? "", ...blocks.map(({ text }) => text)].join("\n"))
    .digest("hex")

// The company behind the page and a short summary, as far as the page contains them.

/** Units: Unicode code points. */
const companyLengthMax = 255
/** Units: Unicode code points. */
const summaryLengthMax = 500
/** A shorter first text is a menu entry or a price. Units: UTF-16 code units. */
const sentencesLengthMin = 40
/** Sentences are added until they reach this length together. Units: UTF-16 code units. */
const sentencesLength = 160

/**
 * The name the page gives itself; otherwise the part of its title that occurs in its hostname, or the shortest part.
 */
export const companyOf = ({ name, title }: ReadPage, host: string): string | null => {
  if (name !== null) return cut(name, companyLengthMax)
  if (title === null) return null
  const parts = title
    .split(/ [-\u2013\u2014|\u00b7\u2022:\u00bb]+ | ?[|\u00b7\u2022\u00bb] ?/u)
    .filter((part) => part !== "")
  const isInHost = (part: string) => {
    const letters = lettersOf(part)
    return letters !== "" && lettersOf(host).includes(letters)
  }
  const company =
    parts.find(isInHost) ?? parts.toSorted((one, other) => one.length - other.length)[0]
  return company === undefined ? null : cut(company, companyLengthMax)
}

/** The page's description; otherwise its first sentences. */
export const summaryOf = ({ blocks, description }: ReadPage): string | null => {
  if (description !== null) return cut(description, summaryLengthMax)
  const texts = blocks.filter(({ level }) => level === 0).map(({ text }) => text)
  const text = texts.find(({ length }) => length >= sentencesLengthMin) ?? texts[0]
  if (text === undefined) return null
  const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" })
  let summary = ""
  // The first sentences are at the start, however long the text is.
  for (const { segment } of sentences.segment(text.slice(0, 2 * summaryLengthMax))) {
    if (summary.length + segment.length > sentencesLength && summary !== "") break
    summary += segment
  }
  return cut(summary.trim(), summaryLengthMax)
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** Cuts between code points and ends with an ellipsis if something is missing. */
const cut = (text: string, lengthMax: number): string => {
  const points = [...text]
  return points.length <= lengthMax ? text : `${points.slice(0, lengthMax - 1).join("")}…`
}

// Decodes a page as browsers do: by byte order mark, then the header, then the page's own meta tag; without any of
// these as UTF-8, or Windows-1252 if it is not valid UTF-8.
/** How far into a page its encoding is looked for. Units: bytes. WHATWG, prescan. */
const prescanBytes = 1024

export const decodePage = (body: Uint8Array, contentType: string | undefined): string => {
  const label = markedEncoding(body) ?? charsetOf(contentType ?? "") ?? metaCharset(body)
  const decoded = label === undefined ? undefined : decodeAs(label, body)
  return decoded ?? decodeAs("utf-8", body, { fatal: true }) ?? decodeAs("windows-1252", body) ?? ""
}

const markedEncoding = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

const charsetOf = (text: string): string | undefined =>
  /charset\s*=[\s"']*([^\s"';>/]+)/i.exec(text)?.[1]

/** A page whose start is readable is not UTF-16, whatever its tag declares. */
const metaCharset = (body: Uint8Array): string | undefined => {
  const start = new TextDecoder("latin1").decode(body.subarray(0, prescanBytes))
  const [tag] = /<meta\s[^<>]*charset\s*=[^<>]*/i.exec(start) ?? []
  const label = tag === undefined ? undefined : charsetOf(tag)
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Undefined for an unknown encoding and, if strict, for invalid bytes. */
const decodeAs = (
  label: string,
  body: Uint8Array,
  options: { readonly fatal?: boolean } = {},
): string | undefined => {
  try {
    return new TextDecoder(label, options).decode(body)
  } catch {
    return undefined
  }
}
