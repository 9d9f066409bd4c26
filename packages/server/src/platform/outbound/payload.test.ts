import { expect, it } from "vitest"
import { type Fit, fitted, isPayload, payloadBytesMax, textBytesMin } from "./payload.ts"

interface Payload {
  readonly words: ReadonlyArray<string>
  readonly url: string | null
}

const written =
  ({ url, words }: Payload) =>
  (fit: Fit) =>
    JSON.stringify({ words: words.map((text) => fit.words(text)), url: fit.whole(url) })

const bodyOf = (payload: Payload): Payload =>
  JSON.parse(fitted(JSON.stringify(payload), written(payload))) as Payload

it.each([
  [payloadBytesMax - 1, true],
  [payloadBytesMax, false],
  [payloadBytesMax + 1, false],
])("a body of %i bytes may be sent: %s", (bytes, expected) => {
  expect(isPayload("é".repeat(2) + "a".repeat(bytes - 4))).toBe(expected)
})

it("a body that may be sent is not changed", () => {
  const body = "a".repeat(payloadBytesMax - 1)

  expect(fitted(body, () => "")).toBe(body)
})

it.each([
  ["one-byte letters", "a"],
  ["four-byte letters", "𝒜"],
  ["letters that take six bytes in JSON", "\u0001"],
])("only the longest texts are cut, as little as needed: %s", (_, letter) => {
  const payload = { words: [letter.repeat(15_000), letter.repeat(14_000), "short"], url: null }

  const body = JSON.stringify(bodyOf(payload))
  const [first, second, third] = bodyOf(payload).words
  expect(Buffer.byteLength(body)).toBeLessThan(payloadBytesMax)
  // One more letter of each would not have fitted.
  expect(Buffer.byteLength(body)).toBeGreaterThanOrEqual(payloadBytesMax - 12)
  expect(first).toMatch(/^.+…$/u)
  expect(payload.words[0]!.startsWith(first!.slice(0, -1))).toBe(true)
  expect([...first!].length).toBe([...second!].length)
  expect(third).toBe("short")
})

it("the text with the most bytes is cut, not the one with the most letters", () => {
  const words = ["𝒜".repeat(3_000), "a".repeat(9_000)]

  const [bytes, letters] = bodyOf({ words, url: null }).words
  expect(bytes).toMatch(/^𝒜+…$/u)
  expect(letters).toBe(words[1])
})

it("text is cut between two letters, and not after a space", () => {
  const payload = { words: [`${"𝒜 ".repeat(5_000)}`], url: null }

  expect(bodyOf(payload).words[0]).toMatch(/^(?:𝒜 )*𝒜…$/u)
})

it("a value that is only useful whole is left out rather than cut", () => {
  const url = `https://a.example/${"a".repeat(500)}`

  expect(bodyOf({ words: ["a".repeat(30_000)], url }).url).toBe(url)
  expect(bodyOf({ words: [], url: url.repeat(50) }).url).toBeNull()
})

it("no text is cut below the minimum length", () => {
  const words = Array.from({ length: 100 }, () => "a".repeat(textBytesMin))

  expect(bodyOf({ words, url: null }).words).toEqual(words)
})
