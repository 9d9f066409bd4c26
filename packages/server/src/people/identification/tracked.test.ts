// What a session keeps of its custom events: every one is counted, and what a page sends can't make the row large.
import { describe, expect, it } from "vitest"
import type { PropertyValue } from "../../collect/visits/batch.ts"
import {
  customEventsMax,
  noneTracked,
  propertyLengthMax,
  type Tracked,
  tracked,
  trackedJson,
  trackedOf,
  valuesMax,
} from "./tracked.ts"

type Sent = readonly [name: string, properties?: Readonly<Record<string, PropertyValue>>]

const after = (sent: ReadonlyArray<Sent>): Tracked =>
  sent.reduce((all, [name, properties = {}]) => tracked(all, name, properties), noneTracked)

describe("custom events of a session", () => {
  it("are counted by their exact name", () => {
    const json = trackedJson(after([["Buy"], ["buy"], ["Buy"]]))

    expect(json).toEqual({ Buy: [2, {}], buy: [1, {}] })
  })

  it("keep each value of a property once, without case, and a flag as a text", () => {
    const json = trackedJson(
      after([
        ["Buy", { plan: " Pro ", seats: 3, paid: true }],
        ["Buy", { plan: "PRO", seats: 3.5, paid: true }],
        ["Buy", { plan: "3", seats: 3 }],
      ]),
    )

    expect(json).toEqual({ Buy: [3, { plan: ["pro", "3"], seats: [3, 3.5], paid: ["true"] }] })
  })

  it("keep no empty value", () => {
    expect(trackedJson(after([["Buy", { plan: " " }]]))).toEqual({ Buy: [1, {}] })
  })

  it("are read back as they were stored, whatever they are called", () => {
    const events = after([
      ["__proto__", JSON.parse('{"__proto__": "x", "constructor": 1}')],
      ["constructor"],
    ])
    const stored = JSON.parse(JSON.stringify(trackedJson(events)))

    expect(trackedOf(stored)).toEqual(events)
    expect(trackedOf(stored).get("__proto__")?.values.get("__proto__")).toEqual(["x"])
    expect(trackedOf(null).size).toBe(0)
  })

  it(`have at most ${customEventsMax} names, and those go on counting`, () => {
    const names = Array.from({ length: customEventsMax + 1 }, (_, index): Sent => [`${index}`])
    const events = after([...names, ["0"]])

    expect(events.size).toBe(customEventsMax)
    expect(events.get("0")?.count).toBe(2)
    expect(events.has(`${customEventsMax}`)).toBe(false)
  })

  it(`have at most ${valuesMax} values of a property`, () => {
    const sent = Array.from({ length: valuesMax + 1 }, (_, index): Sent => [
      "Buy",
      { seats: index },
    ])

    expect(after(sent).get("Buy")).toMatchObject({
      count: valuesMax + 1,
      values: new Map([["seats", Array.from({ length: valuesMax }, (_, index) => index)]]),
    })
  })

  it(`have at most ${propertyLengthMax} characters of properties, in all`, () => {
    const long = (length: number, events: Tracked) =>
      tracked(events, "Buy", { [`${events.get("Buy")?.count ?? 0}`]: "x".repeat(length - 1) })
    const full = long(propertyLengthMax - 255, long(255, noneTracked))

    const wide = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`property ${index}`, "x".repeat(255)]),
    )
    expect(tracked(noneTracked, "Wide", wide).get("Wide")?.values.size).toBe(15)
    expect(full.get("Buy")?.values.size).toBe(2)
    expect(tracked(full, "Other", { a: 1 }).get("Other")).toEqual({ count: 1, values: new Map() })
    expect(long(propertyLengthMax - 254, long(255, noneTracked)).get("Buy")?.values.size).toBe(1)
  })
})
