// The words of a text, as pages and topics are compared by: without case, accents and plural, in the
// parts between full stops and commas, because two words are a pair only when nothing stands between
// them. Plurals end by Harman's rules (the "S stemmer"), which join little that does not belong together.

export interface Word {
  /** As the text has it, in lower case. */
  readonly surface: string
  /** What it is compared by. */
  readonly stem: string
}

/** The words of each part of a text, in order. */
export const wordsOf = (text: string): ReadonlyArray<ReadonlyArray<Word>> =>
  joined(text.normalize("NFKC").toLowerCase())
    .split(partEnd)
    .map((part) => (part.match(word) ?? []).map((surface) => ({ surface, stem: stemOf(surface) })))
    .filter((words) => words.length > 0)

/** What ends a part, and what shows that a part has another subject than the next one. */
const partEnd = /[.!?;:,]+(?=\s|$)|[()[\]{}|"“”«»•·–—…/\\]+/u
const word = /[\p{L}\p{N}\p{M}]+(?:[+#]+(?![\p{L}\p{N}]))?/gu

/** `e-commerce` is `ecommerce`, `A/B` is `ab`, `company's` is `company`. */
const joined = (text: string): string =>
  text
    .replaceAll(/['’]s(?![\p{L}\p{N}])/gu, "")
    .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, "")
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
