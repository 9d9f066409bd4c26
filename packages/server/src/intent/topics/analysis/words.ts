// The words of a text in the form pages and topics are compared: without case, accents and plural, split at full stops
// and commas, because two words only form a pair if nothing stands between them. Plurals follow Harman's rules (the "S
// stemmer"), which rarely conflate unrelated words.

export interface Word {
  /** As in the text, in lower case. */
  readonly surface: string
  /** The form that is compared. */
  readonly stem: string
}

/** The words of each part of a text, in order. */
export const wordsOf = (text: string): ReadonlyArray<ReadonlyArray<Word>> =>
  joined(text.normalize("NFKC").toLowerCase())
    .split(partEnd)
    .map((part) => (part.match(word) ?? []).map((surface) => ({ surface, stem: stemOf(surface) })))
    .filter((words) => words.length > 0)

/** Ends a part: what follows may have another subject. */
const partEnd =
  /[.!?;:,](?=\s|$)|[()[\]{}|"\u201c\u201d\u00ab\u00bb\u2022\u00b7\u2013\u2014\u2026/\\]/u
const word = /[\p{L}\p{N}\p{M}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu

/** `e-commerce` becomes `ecommerce`, `A/B` becomes `ab`, `company's` becomes `company`. */
const joined = (text: string): string =>
  text
    .replaceAll(/['\u2019]s(?![\p{L}\p{N}])/gu, "")
    .replaceAll(/(?<=\p{L})['\u2019](?=\p{L})/gu, "")
    .replaceAll(/(?<![\p{L}\p{N}])(\p{L})[-/](?=\p{L})/gu, "$1")

const stemOf = (surface: string): string =>
  singular(
    /^[a-z0-9]*$/.test(surface) ? surface : surface.normalize("NFD").replaceAll(/\p{M}+/gu, ""),
  )

const singular = (text: string): string => {
  if (text.length <= 3 || !text.endsWith("s") || /(?:ss|us)$/.test(text)) return text
  if (/(?:ss|x|ch|sh)es$/.test(text)) return text.slice(0, -2)
  if (/[^ae]ies$/.test(text)) return `${text.slice(0, -3)}y`
  return text.slice(0, -1)
}
