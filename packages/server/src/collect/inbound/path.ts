// A path into a JSON value: `$.a.b[0]["Business Email"]` (spec 15.3.6). It reads own properties and elements, nothing
// inherited. `[*]` is every element of an array.

export type Step =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "every" }

export type Path = ReadonlyArray<Step>

export const pathLengthMax = 300
const stepsMax = 32
/** `[*]` in one path. */
const everyMax = 3
const digitsMax = 6

/** The steps, or what is wrong with the text. One pass over its characters. */
export const readPath = (text: string): Path | string => {
  if (text.length > pathLengthMax) return `Expected at most ${pathLengthMax} characters.`
  if (!text.startsWith("$")) return "Expected a path that begins with $, or =text."
  const steps: Array<Step> = []
  let at = 1
  while (at < text.length) {
    const step = text[at] === "." ? nameAfterDot(text, at + 1) : inBrackets(text, at)
    if (typeof step === "string") return step
    steps.push(step.step)
    at = step.next
  }
  if (steps.length > stepsMax) return `Expected at most ${stepsMax} steps.`
  if (steps.filter(({ kind }) => kind === "every").length > everyMax) {
    return `Expected [*] at most ${everyMax} times.`
  }
  return steps
}

interface Read {
  readonly step: Step
  /** Where the next step begins. */
  readonly next: number
}

const nameAfterDot = (text: string, start: number): Read | string => {
  let end = start
  while (end < text.length && text[end] !== "." && text[end] !== "[") end++
  const name = text.slice(start, end)
  return name === "" || /[\s"'\]]/.test(name)
    ? `Expected a name after the dot at character ${start}. Write a name with spaces as ["Business Email"].`
    : { step: { kind: "name", name }, next: end }
}

const inBrackets = (text: string, start: number): Read | string => {
  if (text[start] !== "[") return `Expected . or [ at character ${start + 1}.`
  const quote = text[start + 1]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(`${quote}]`, start + 2)
    if (end === -1) return `Expected ${quote}] after character ${start + 2}.`
    return { step: { kind: "name", name: text.slice(start + 2, end) }, next: end + 2 }
  }
  const end = text.indexOf("]", start)
  const inner = end === -1 ? "" : text.slice(start + 1, end)
  if (inner === "*") return { step: { kind: "every" }, next: end + 1 }
  if (inner.length > digitsMax || !/^\d+$/.test(inner)) {
    return `Expected a number, * or a quoted name in the brackets at character ${start + 1}.`
  }
  return { step: { kind: "index", index: Number(inner) }, next: end + 1 }
}

/** The value at a path without `[*]`; undefined if there is none. */
export const valueAt = (root: unknown, path: Path): unknown => {
  let value = root
  for (const step of path) value = stepInto(value, step)
  return value
}

/** The values at a path, at most `limit`. On the way there may be more, of which some have no such value. */
export const valuesAt = (root: unknown, path: Path, limit: number): ReadonlyArray<unknown> => {
  let values: ReadonlyArray<unknown> = [root]
  for (const step of path) {
    values = values.flatMap((value) => {
      if (step.kind === "every") return Array.isArray(value) ? (value as Array<unknown>) : []
      const found = stepInto(value, step)
      return found === undefined ? [] : [found]
    })
  }
  return values.slice(0, limit)
}

const stepInto = (value: unknown, step: Step): unknown => {
  if (typeof value !== "object" || value === null) return undefined
  if (step.kind === "index") return Array.isArray(value) ? value[step.index] : undefined
  if (step.kind === "every" || Array.isArray(value)) return undefined
  if (!Object.hasOwn(value, step.name)) return undefined
  const own = value as Readonly<Record<string, unknown>>
  return own[step.name] // own keys: checked above
}
