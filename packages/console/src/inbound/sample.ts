// A sample of what a vendor sends: the values in it, with the paths that a mapping names them by, and where its records
// are. A sample is foreign text, so only so much of it is read.

export interface SampleValue {
  readonly path: string
  readonly text: string
}

/** Records in the body. */
interface RecordPlace {
  /** The path for `each`. */
  readonly each: string
  readonly count: number
  readonly first: unknown
}

const valuesMax = 200
const placesMax = 20
/** As the server reads paths. */
const stepsMax = 32
const everyMax = 3
const pathLengthMax = 300

/** The step to a name; undefined if no path can name it. */
const stepTo = (name: string): string | undefined => {
  if (/^[^\s"'.[\]]+$/.test(name)) return `.${name}`
  if (!name.includes('"]')) return `["${name}"]`
  return name.includes("']") ? undefined : `['${name}']`
}

interface Entry {
  readonly path: string
  readonly value: unknown
}

/** What is one step below a value. */
const below = ({ path, value }: Entry): ReadonlyArray<Entry> => {
  if (Array.isArray(value)) {
    return value
      .slice(0, valuesMax)
      .map((each: unknown, index) => ({ path: `${path}[${index}]`, value: each }))
  }
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    const step = stepTo(name)
    return step === undefined ? [] : [{ path: path + step, value: each }]
  })
}

/** The texts, numbers and truth values of a record, in its order. Empty ones are absent fields. */
export const valuesIn = (record: unknown): ReadonlyArray<SampleValue> => {
  const found: Array<SampleValue> = []
  const visit = (entry: Entry, steps: number): void => {
    const { path, value } = entry
    if (found.length === valuesMax || path.length > pathLengthMax) return
    if (typeof value === "object" && steps < stepsMax) {
      for (const next of below(entry)) visit(next, steps + 1)
    } else if (value !== null && value !== "" && typeof value !== "object") {
      found.push({ path, text: String(value) })
    }
  }
  for (const entry of below({ path: "$", value: record })) visit(entry, 1)
  return found
}

/** A body that is an array has its records in it, without a path. */
export const recordOf = (sample: unknown): unknown =>
  Array.isArray(sample) ? (sample[0] as unknown) : sample

/** The arrays of objects in a body, as places of records. */
export const placesIn = (sample: unknown): ReadonlyArray<RecordPlace> => {
  const found: Array<RecordPlace> = []
  const visit = (entry: Entry, steps: number, every: number): void => {
    const { path, value } = entry
    if (found.length === placesMax || steps > stepsMax || path.length > pathLengthMax) return
    if (!Array.isArray(value)) {
      for (const next of below(entry)) visit(next, steps + 1, every)
      return
    }
    const first: unknown = value[0]
    if (typeof first !== "object" || first === null || every === everyMax) return
    const each = `${path}[*]`
    found.push({ each, count: value.length, first })
    visit({ path: each, value: first }, steps + 1, every + 1)
  }
  visit({ path: "$", value: recordOf(sample) }, 0, 0)
  return found
}
