// Invisible characters: controls, zero-width and other format characters, line separators, and halves of a character
// (lone surrogates), which Postgres can't store. An address or rule that contains one looks like another but never
// matches it, so it's invalid (spec 1.5). Pure.

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/u

const names: ReadonlyMap<string, string> = new Map([
  ["\u0000", "null"],
  ["\u0009", "tab"],
  ["\u000a", "line feed"],
  ["\u000d", "carriage return"],
  ["\u00ad", "soft hyphen"],
  ["\u200b", "zero width space"],
  ["\u200c", "zero width non-joiner"],
  ["\u200d", "zero width joiner"],
  ["\u200e", "left-to-right mark"],
  ["\u200f", "right-to-left mark"],
  ["\u2060", "word joiner"],
  ["\ufeff", "byte order mark"],
])

/** The first hidden character with its name: `U+200B (zero width space)`. Undefined if there is none. */
export const hiddenCharacter = (text: string): string | undefined => {
  const found = hidden.exec(text)?.[0]
  if (found === undefined) return undefined
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")
  const kind = /\p{Cc}/u.test(found) ? "control character" : "invisible character"
  return `U+${code} (${names.get(found) ?? kind})`
}
