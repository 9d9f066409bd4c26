// Whether a JSON object names a member twice. Parsers differ on which of the two counts, so a token
// that says something twice says nothing that can be relied on (RFC 7519, section 4).

/** `text` must be valid JSON. Looks at the outermost object only. */
export const hasRepeatedMember = (text: string): boolean => {
  const names = new Set<string>()
  let depth = 0
  let name: string | undefined
  for (const [lexeme] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (lexeme === "{" || lexeme === "[") depth++
    else if (lexeme === "}" || lexeme === "]") depth--
    else if (lexeme !== ":") name = lexeme
    else if (depth === 1 && name !== undefined) {
      // Two spellings of one name, as with \u escapes, are one name.
      const read = JSON.parse(name) as string
      if (names.has(read)) return true
      names.add(read)
    }
  }
  return false
}
