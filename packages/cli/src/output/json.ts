// JSON for programs that is also safe on a screen: 8-bit control characters, which JSON allows but
// some terminals obey, are written as escapes.

/** One document: the members on lines of their own, two spaces deep. */
export const jsonDocument = (value: unknown): string =>
  `${escaped(JSON.stringify(value, null, 2))}\n`

/** One line of NDJSON. */
export const jsonLine = (value: unknown): string => `${escaped(JSON.stringify(value))}\n`

const escaped = (json: string): string =>
  json.replace(/[\u007F-\u009F]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0")
    return `\\u${code}`
  })
