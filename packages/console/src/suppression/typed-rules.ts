// Rules as people type or paste them: their values, and the type that the values suggest.
import type { SuppressionRuleInput, SuppressionRuleType } from "@footfall/sdk"

/** One rule per line. Separators in pasted lists count as line breaks. */
export const rulesOf = (
  type: SuppressionRuleType,
  text: string,
): ReadonlyArray<SuppressionRuleInput> => valuesOf(type, text).map((value) => ({ type, value }))

/** The values of a text. */
export const valuesOf = (type: SuppressionRuleType, text: string): ReadonlyArray<string> =>
  text
    .split(type === "industry" ? /\n/ : /[\n,;\t]/)
    .flatMap((line) => (type === "industry" ? [line] : wordsOf(line)))
    .map((value) => value.trim())
    .filter((value) => value !== "")

/** A line of addresses or host names is several values. Any other line is one, so that it is rejected as a whole. */
const wordsOf = (line: string): ReadonlyArray<string> => {
  const address = /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(line)?.[1]
  if (address !== undefined) return [address]
  const words = line.split(/\s+/).filter((word) => word !== "")
  return words.every(looksLikeValue) ? words : [line]
}

const looksLikeValue = (word: string): boolean => /^[^@\s]+(?:@[^@\s]+)?\.[^@\s.]+$/.test(word)

/** The type that typed values suggest, as for a file: `given` unless they are of another kind. */
export const typeOfValues = (given: SuppressionRuleType, text: string): SuppressionRuleType => {
  const values = valuesOf("email", text)
  if (values.length === 0 || !values.every(looksLikeValue)) return given
  const addresses = values.filter((value) => value.includes("@")).length
  if (addresses === values.length) return "email"
  const isOfDomains = given === "domain" || given === "company_domain"
  return addresses > 0 || isOfDomains ? given : "domain"
}
