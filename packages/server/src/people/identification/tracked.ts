// What the custom events of a session said: how often each was sent, and the distinct values of its properties, in the
// form that rules compare (spec 3.3). It is bounded, because it is stored in the session's row: whatever a page sends, a
// session keeps the names and values that were reported first.
import type { PropertyValue } from "../../collect/visits/batch.ts"
import { foldCase } from "../../platform/database/case-folding.ts"

/** Distinct custom event names kept of a session. */ // spec 10.3
export const customEventsMax = 100
/** Distinct values kept of one property. */ // spec 10.3
export const valuesMax = 20
/** Characters kept of all properties and their values. */ // spec 10.3
export const propertyLengthMax = 4_000

/** A text without case and without spaces around it, or a number. */
type Value = string | number

interface TrackedEvent {
  readonly count: number
  /** By property. */
  readonly values: ReadonlyMap<string, ReadonlyArray<Value>>
}

/** By the event's exact name. */
export type Tracked = ReadonlyMap<string, TrackedEvent>

export const noneTracked: Tracked = new Map()

/** Adds one event. */
export const tracked = (
  events: Tracked,
  name: string,
  properties: Readonly<Record<string, PropertyValue>>,
): Tracked => {
  const known = events.get(name)
  if (known === undefined && events.size >= customEventsMax) return events
  const values = new Map(known?.values)
  let left = propertyLengthMax - lengthOf(events)
  for (const [property, given] of Object.entries(properties)) {
    const value = valueOf(given)
    const list = values.get(property) ?? []
    const length = (list.length === 0 ? property.length : 0) + lengthOfValue(value)
    if (value === "" || list.includes(value) || list.length >= valuesMax || length > left) continue
    left -= length
    values.set(property, [...list, value])
  }
  return new Map([...events, [name, { count: (known?.count ?? 0) + 1, values }]])
}

/** A flag is the text `true` or `false`. */
const valueOf = (given: PropertyValue): Value =>
  typeof given === "number" ? given : foldCase(String(given).trim())

const lengthOfValue = (value: Value): number => String(value).length

const lengthOf = (events: Tracked): number => {
  let length = 0
  for (const { values } of events.values()) {
    for (const [property, list] of values) {
      length += property.length
      for (const value of list) length += lengthOfValue(value)
    }
  }
  return length
}

/** Column `tracked`: `[count, values by property]` by name. */
export type TrackedJson = Readonly<
  Record<string, readonly [count: number, values: Readonly<Record<string, ReadonlyArray<Value>>>]>
>

export const trackedJson = (events: Tracked): TrackedJson =>
  Object.fromEntries(
    Array.from(events, ([name, { count, values }]) => [name, [count, Object.fromEntries(values)]]),
  )

/** Null: no custom event, or a session of 0.2. */
export const trackedOf = (json: TrackedJson | null): Tracked =>
  new Map(
    Object.entries(json ?? {}).map(([name, [count, values]]) => [
      name,
      { count, values: new Map(Object.entries(values)) },
    ]),
  )
