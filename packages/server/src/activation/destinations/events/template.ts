// The body that a template makes of an event (spec 8.2.2): a JSON object whose texts contain placeholders such as
// `{{contact.email}}`, the paths of the event's `data`. It is read once, when it is saved, into pieces of JSON text and
// paths in between, so that a value never becomes a part of the structure.
import { Result } from "effect"
import { type Issue, issuesMax, pointer } from "../../../platform/http/issues.ts"
import { isPayload, payloadBytesMax } from "../../../platform/outbound/payload.ts"

/** Units: bytes of JSON text. Our own limits. */
export const templateBytesMax = 10_000
const depthMax = 20
const placeholdersMax = 200

export interface Template {
  /** The JSON text of the body. */
  written(data: object): string
}

interface Placeholder {
  readonly path: ReadonlyArray<string>
  /** A text that is this placeholder alone keeps the value's type. */
  readonly isAlone: boolean
}

type Piece = string | Placeholder
type Path = ReadonlyArray<string>

/** `sample`: data of an event, with every path that events have. Nothing else may be in a placeholder. */
export const checkTemplate = (
  template: object,
  sample: object,
): Result.Result<Template, ReadonlyArray<Issue>> => {
  const size = Buffer.byteLength(JSON.stringify(template))
  if (size > templateBytesMax) {
    return Result.fail([
      issue([], "max_length", `at most ${templateBytesMax} bytes of JSON, received ${size}`),
    ])
  }
  const reading = new Reading(sample)
  reading.read(template, [], 1)
  const { issues, pieces } = reading
  if (issues.length > 0) return Result.fail(issues)
  const placeholders = pieces.filter((piece) => typeof piece !== "string").length
  if (placeholders > placeholdersMax) {
    return Result.fail([
      issue([], "max_items", `at most ${placeholdersMax} placeholders, received ${placeholders}`),
    ])
  }
  const checked = templateOf(pieces)
  return isPayload(checked.written(sample))
    ? Result.succeed(checked)
    : Result.fail([
        issue([], "max_length", `a template whose body is below ${payloadBytesMax} bytes`),
      ])
}

/** A template that was checked when it was saved. What events no longer have is null. */
export const storedTemplate = (text: string): Template => {
  const reading = new Reading(undefined)
  reading.read(JSON.parse(text), [], 1)
  return templateOf(reading.pieces)
}

const templateOf = (pieces: ReadonlyArray<Piece>): Template => ({
  written: (data) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : filled(piece, data))).join(""),
})

const filled = ({ isAlone, path }: Placeholder, data: object): string => {
  const value = valueAt(data, path) ?? null
  if (isAlone) return JSON.stringify(value)
  // Inside a text, between its quotes.
  return value === null ? "" : inText(String(value))
}

/** Undefined where nothing is known: an audience without topics has no `contact.intent`. */
const valueAt = (data: object, path: Path): unknown => {
  let value: unknown = data
  for (const key of path) {
    value = ownValue(value, key)
  }
  return value
}

/** Undefined for what an object only inherits, and for anything else than an object. */
const ownValue = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined

class Reading {
  readonly issues: Array<Issue> = []
  readonly pieces: Array<Piece> = []
  readonly #sample: object | undefined

  /** Without a sample, paths are not checked. */
  constructor(sample: object | undefined) {
    this.#sample = sample
  }

  /** `depth`: of this value, if it is a list or an object. */
  read(value: unknown, at: Path, depth: number): void {
    if (typeof value === "string") return this.#text(value, at)
    if (typeof value !== "object" || value === null) return this.#add(JSON.stringify(value))
    if (depth > depthMax) return this.#refuse(at, "too_deep", `at most ${depthMax} levels`)
    const isList = Array.isArray(value)
    this.#add(isList ? "[" : "{")
    for (const [place, [key, inner]] of Object.entries(value).entries()) {
      const inside = [...at, key]
      if (place > 0) this.#add(",")
      if (!isList) {
        if (key.includes("{{")) this.#refuse(inside, "format", "no placeholder in a key")
        this.#add(`${JSON.stringify(key)}:`)
      }
      this.read(inner, inside, depth + 1)
    }
    this.#add(isList ? "]" : "}")
  }

  #text(text: string, at: Path): void {
    const [before = "", ...parts] = text.split("{{")
    const alone = /^\{\{([^{}]*)\}\}$/.exec(text)?.[1]
    if (alone !== undefined) return this.#placeholder(alone, true, at)
    this.#add(`"${inText(before)}`)
    for (const part of parts) {
      const end = part.indexOf("}}")
      if (end === -1) {
        return this.#refuse(at, "format", "}} after each {{, as in {{contact.email}}", text)
      }
      this.#placeholder(part.slice(0, end), false, at)
      this.#add(inText(part.slice(end + 2)))
    }
    this.#add('"')
  }

  #placeholder(written: string, isAlone: boolean, at: Path): void {
    const name = written.trim()
    const path = name.split(".")
    const kind = this.#sample === undefined ? "value" : kindAt(this.#sample, path)
    if (kind === undefined) {
      return this.#refuse(at, "format", "a path of the event's data, as in contact.email", name)
    }
    if (!isAlone && kind !== "value") {
      const expected = `one value inside a text, and ${kind} only as the whole text`
      return this.#refuse(at, "format", expected, name)
    }
    this.pieces.push({ path, isAlone })
  }

  #add(text: string): void {
    const last = this.pieces.length - 1
    const before = this.pieces[last]
    if (typeof before === "string") this.pieces[last] = before + text
    else this.pieces.push(text)
  }

  #refuse(at: Path, code: string, expected: string, received?: string): void {
    if (this.issues.length >= issuesMax) return
    this.issues.push(
      issue(
        at,
        code,
        received === undefined ? expected : `${expected}, received "${received.slice(0, 80)}"`,
      ),
    )
  }
}

const inText = (text: string): string => JSON.stringify(text).slice(1, -1)

const issue = (at: Path, code: string, expected: string): Issue => ({
  path: pointer(["body", "template", ...at]),
  code,
  message: `Expected ${expected}.`,
})

/** What a path leads to. Undefined: nothing that an event has. An element of a list is written as its number, from 0. */
const kindAt = (sample: object, path: Path): "a list" | "an object" | "value" | undefined => {
  let value: unknown = sample
  for (const key of path) {
    const isElement = Array.isArray(value) && /^(0|[1-9]\d?)$/.test(key)
    if (Array.isArray(value) && !isElement) return undefined
    value = ownValue(value, isElement ? "0" : key)
    if (value === undefined) return undefined
  }
  if (typeof value !== "object" || value === null) return "value"
  return Array.isArray(value) ? "a list" : "an object"
}
