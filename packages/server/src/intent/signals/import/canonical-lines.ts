// Parses a signal directly from a line's bytes if it is written the usual way: the four fields in header order, or in
// the order of spec 2.19 for NDJSON, without unnecessary quotes, blanks or leading zeros. Any other line, including
// every invalid one, goes to the general reader, which agrees on all lines accepted here (signal-reader.test.ts).
import type { ImportFormat } from "../../../people/imports/import-format.ts"
import { emailHashesOfNothing } from "../../../collect/visits/placeholder.ts"
import { hashWords, type SignalColumns } from "./signal-columns.ts"
import { scoreMax, signalPaths, type SignalScope } from "./signal-row.ts"

const [topicIdPath, emailHashPath, scorePath, datePath] = signalPaths

const zero = 0x30
const nine = 0x39
const newline = 0x0a
const carriageReturn = 0x0d
const dateLength = 10
const hashLength = 64
const topicIdDigitsMax = 10

/** The value of a hexadecimal digit by its code; 255 for anything else. */
const digits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase())
  return digit === -1 ? 255 : digit
})

/** By its first 16 bits, whether a hash may be one of nothing: the general reader decides, and rejects it. */
const mayBeOfNothing = new Uint8Array(2 ** 16)
for (const hash of emailHashesOfNothing) mayBeOfNothing[Number.parseInt(hash.slice(0, 4), 16)] = 1

/** The bytes before each field and after the last one. */
interface Template {
  readonly fields: ReadonlyArray<string>
  readonly literals: ReadonlyArray<Buffer>
}

const jsonTemplate: Template = {
  fields: signalPaths,
  literals: [`{"topicId":`, `,"emailHash":"`, `","score":`, `,"date":"`, `"}`].map((literal) =>
    Buffer.from(literal),
  ),
}

const csvTemplate = (header: ReadonlyArray<string>): Template => ({
  fields: header,
  literals: ["", ",", ",", ",", ""].map((literal) => Buffer.from(literal)),
})

export class CanonicalLines {
  readonly #scope: SignalScope
  readonly #template: Template
  /** The bytes of the last date and its place, because a file has few dates. */
  readonly #date = new Uint8Array(dateLength)
  #datePlace = -1
  #topicId = 0
  /** The current position; -1 if the line is not of this kind. */
  #at = 0

  private constructor(scope: SignalScope, template: Template) {
    this.#scope = scope
    this.#template = template
  }

  /** Undefined if the header has other columns than the four. */
  static of(
    format: ImportFormat,
    header: ReadonlyArray<string> | undefined,
    scope: SignalScope,
  ): CanonicalLines | undefined {
    if (format === "ndjson") return new CanonicalLines(scope, jsonTemplate)
    const isKnown = header?.length === signalPaths.length
    return isKnown ? new CanonicalLines(scope, csvTemplate(header)) : undefined
  }

  /** Adds the signal of the line starting at `from` and returns the start of the next line, or -1. */
  read(bytes: Uint8Array, from: number, into: SignalColumns): number {
    this.#at = from
    for (let place = 0; place < this.#template.fields.length; place++) {
      this.#literal(bytes, place)
      if (this.#at !== -1) this.#field(bytes, this.#template.fields[place]!, into)
      if (this.#at === -1) return -1
    }
    this.#literal(bytes, this.#template.fields.length)
    if (this.#at === -1) return -1
    if (bytes[this.#at] === carriageReturn) this.#at++
    if (bytes[this.#at] !== newline) return -1
    into.length++
    return this.#at + 1
  }

  #literal(bytes: Uint8Array, place: number): void {
    const literal = this.#template.literals[place]!
    for (let index = 0; index < literal.length; index++) {
      if (bytes[this.#at + index] !== literal[index]) {
        this.#at = -1
        return
      }
    }
    this.#at += literal.length
  }

  #field(bytes: Uint8Array, path: string, into: SignalColumns): void {
    if (path === emailHashPath) this.#hash(bytes, into)
    else if (path === topicIdPath) this.#topic(bytes, into)
    else if (path === scorePath) this.#score(bytes, into)
    else if (path === datePath) this.#day(bytes, into)
    else this.#at = -1
  }

  /** A number without leading zeros, followed by its end. */
  #number(bytes: Uint8Array, digitsMax: number): number {
    let value = 0
    const from = this.#at
    let at = from
    for (; at - from < digitsMax; at++) {
      const byte = bytes[at]!
      if (!(byte >= zero && byte <= nine)) break
      value = value * 10 + (byte - zero)
    }
    this.#at = at === from || bytes[from] === zero ? -1 : at
    return value
  }

  #topic(bytes: Uint8Array, into: SignalColumns): void {
    const topicId = this.#number(bytes, topicIdDigitsMax)
    if (this.#at === -1) return
    if (topicId !== this.#topicId) {
      if (!this.#scope.topicIds.has(topicId)) {
        this.#at = -1
        return
      }
      this.#topicId = topicId
    }
    into.topicIds[into.length] = topicId
  }

  #score(bytes: Uint8Array, into: SignalColumns): void {
    const score = this.#number(bytes, 3)
    if (score > scoreMax) this.#at = -1
    into.scores[into.length] = score
  }

  #hash(bytes: Uint8Array, into: SignalColumns): void {
    let at = this.#at
    if (at + hashLength > bytes.length) {
      this.#at = -1
      return
    }
    const first = into.length * hashWords
    let wrong = 0
    for (let word = 0; word < hashWords; word++) {
      let value = 0
      for (const end = at + 8; at < end; at++) {
        const digit = digits[bytes[at]!]!
        wrong |= digit
        value = (value << 4) | digit
      }
      into.hashes[first + word] = value
    }
    this.#at = wrong > 15 || mayBeOfNothing[into.hashes[first]! >>> 16] === 1 ? -1 : at
  }

  #day(bytes: Uint8Array, into: SignalColumns): void {
    const from = this.#at
    let isSame = this.#datePlace !== -1
    for (let index = 0; isSame && index < dateLength; index++) {
      isSame = bytes[from + index] === this.#date[index]
    }
    if (!isSame && !this.#remember(bytes.subarray(from, from + dateLength))) {
      this.#at = -1
      return
    }
    into.dates[into.length] = this.#datePlace
    this.#at = from + dateLength
  }

  #remember(date: Uint8Array): boolean {
    const place = this.#scope.placeOfText(Buffer.from(date).toString("latin1"))
    if (place === undefined) return false
    this.#date.set(date)
    this.#datePlace = place
    return true
  }
}
