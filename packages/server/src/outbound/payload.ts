// How long the body of a webhook may be, of both families, and what is shortened in one that would be longer:
// the longest texts first, by their bytes in JSON, whose letters take one to six. Most bodies are a tenth of it.

/** Units: bytes. */ // spec 8.1
export const payloadBytesMax = 20_000

/** Down to here each text may be cut; shorter ones are always whole. Our bound. Units: bytes in JSON. */
export const textBytesMin = 256

/** What takes too many bytes: of words the beginning is kept, and what is of use only as a whole is null. */
export interface Fit {
  words<Text extends string | null>(text: Text): Text
  whole(text: string | null): string | null
}

export const isPayload = (body: string): boolean => Buffer.byteLength(body) < payloadBytesMax

/**
 * The body as it is, or written again with its texts cut to the most bytes with which it is short enough.
 *
 * *Guarantee*: below `payloadBytesMax` if it is with every text cut to `textBytesMin`; else it is that.
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
  // The beginning of a text is a text, and null has none.
  words: <Text extends string | null>(text: Text) => {
    if (text === null) return text
    const end = endOf(text, bytesMax)
    if (end === text.length) return text
    return `${text.slice(0, endOf(text, bytesMax - ellipsisBytes)).trimEnd()}…` as Text
  },
  whole: (text) => (text === null || endOf(text, bytesMax) === text.length ? text : null),
})

const ellipsisBytes = 3

/** How much of a text the bytes hold, in whole letters. *Units*: UTF-16, as `slice` counts. */
const endOf = (text: string, bytesMax: number): number => {
  let bytes = 0
  for (let end = 0; end < text.length;) {
    const letter = text.codePointAt(end)! // It is before the end.
    bytes += bytesOf(letter)
    if (bytes > bytesMax) return end
    end += letter > 0xffff ? 2 : 1
  }
  return text.length
}

/** Of a letter in JSON, at most. */
const bytesOf = (letter: number): number => {
  if (letter < 0x20) return 6
  if (letter === 0x22 || letter === 0x5c) return 2
  return letter < 0x80 ? 1 : letter < 0x800 ? 2 : letter < 0x10000 ? 3 : 4
}
