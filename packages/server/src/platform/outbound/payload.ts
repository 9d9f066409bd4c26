// The maximum size of both kinds of webhook bodies, and how to shorten a larger one: longest texts first, by their size
// in JSON, where a letter takes one to six bytes. Most bodies are a tenth of the limit.

/** Units: bytes. */ // spec 8.1
export const payloadBytesMax = 20_000

/** No text is cut below this size; shorter ones are always whole. Units: bytes in JSON. */
export const textBytesMin = 256

/**
 * Shortens values that take too many bytes: text keeps its beginning, values that are only useful whole become null.
 */
export interface Fit {
  words<Text extends string | null>(text: Text): Text
  whole(text: string | null): string | null
}

export const isPayload = (body: string): boolean => Buffer.byteLength(body) < payloadBytesMax

/**
 * Returns the body as it is, or rewritten with its texts cut as little as needed.
 *
 * *Guarantee*: below `payloadBytesMax` if cutting every text to `textBytesMin` achieves that; otherwise that result.
 */
export const fitted = (body: string, written: (fit: Fit) => string): string => {
  if (isPayload(body)) return body
  let best = written(cutTo(textBytesMin))
  let least = textBytesMin + 1
  let most = isPayload(best) ? payloadBytesMax : textBytesMin
  while (least <= most) {
    const middle = (least + most) >> 1
    const tried = written(cutTo(middle))
    if (isPayload(tried)) {
      best = tried
      least = middle + 1
    } else most = middle - 1
  }
  return best
}

const cutTo = (bytesMax: number): Fit => ({
  // The beginning of a text is still a text; null stays null.
  words: <Text extends string | null>(text: Text) => {
    if (text === null) return text
    const end = endOf(text, bytesMax)
    if (end === text.length) return text
    return `${text.slice(0, endOf(text, bytesMax - ellipsisBytes)).trimEnd()}…` as Text
  },
  whole: (text) => (text === null || endOf(text, bytesMax) === text.length ? text : null),
})

const ellipsisBytes = 3

/** Returns how much of a text fits into the bytes, in whole letters. *Units*: UTF-16 code units, as `slice` counts. */
const endOf = (text: string, bytesMax: number): number => {
  let bytes = 0
  for (let end = 0; end < text.length;) {
    const letter = text.codePointAt(end)! // the index is before the end
    bytes += bytesOf(letter)
    if (bytes > bytesMax) return end
    end += letter > 0xffff ? 2 : 1
  }
  return text.length
}

/** Maximum size of a letter in JSON. */
const bytesOf = (letter: number): number => {
  if (letter < 0x20) return 6
  if (letter === 0x22 || letter === 0x5c) return 2
  return letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4
}
