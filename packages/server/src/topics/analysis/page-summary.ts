// Whose page it is and a short summary, as far as the page says.
import type { ReadPage } from "./page-reader.ts"

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
    .split(/\s+[-\u2013\u2014|\u00b7\u2022:\u00bb]+\s+|\s*[|\u00b7\u2022\u00bb]\s*/u)
    .filter((part) => part !== "")
  const isOfHost = (part: string) => {
    const letters = lettersOf(part)
    return letters !== "" && lettersOf(host).includes(letters)
  }
  const company =
    parts.find(isOfHost) ?? parts.toSorted((one, other) => one.length - other.length)[0]
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
