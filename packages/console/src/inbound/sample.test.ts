import { expect, it } from "vitest"
import { placesIn, recordOf, valuesIn } from "./sample.ts"

it("names each value by its path, and leaves out what is empty", () => {
  const record = {
    a: { "E-mail": "x@acme.example", n: 5, ok: false },
    none: null,
    empty: "",
    l: ["y"],
  }
  expect(valuesIn(record)).toEqual([
    { path: "$.a.E-mail", text: "x@acme.example" },
    { path: "$.a.n", text: "5" },
    { path: "$.a.ok", text: "false" },
    { path: "$.l[0]", text: "y" },
  ])
})

it.each([
  ["Business Email", '$["Business Email"]'],
  ["a.b", '$["a.b"]'],
  ["__proto__", "$.__proto__"],
  ["", '$[""]'],
  ['a"]b', "$['a\"]b']"],
])("writes the name %j as the server reads it", (name, path) => {
  const record: unknown = JSON.parse(`{${JSON.stringify(name)}: 1}`)
  expect(valuesIn(record)).toEqual([{ path, text: "1" }])
})

it("leaves out a name that no path can write", () => {
  expect(valuesIn({ [`a"]b']c`]: 1, d: 2 })).toEqual([{ path: "$.d", text: "2" }])
})

it("finds records in arrays of objects, also within each other", () => {
  const sample = { rows: [{ people: [{ email: "a" }, { email: "b" }] }], tags: ["x"] }
  expect(placesIn(sample)).toEqual([
    { each: "$.rows[*]", count: 1, first: sample.rows[0] },
    { each: "$.rows[*].people[*]", count: 2, first: { email: "a" } },
  ])
})

it("takes the records of a body that is an array from it, without a path", () => {
  expect(recordOf([{ email: "a" }, { email: "b" }])).toEqual({ email: "a" })
  expect(placesIn([{ email: "a" }, { email: "b" }])).toEqual([])
})

it("reads no more than 200 values and 32 levels of a sample", () => {
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, at]))
  const deep: unknown = JSON.parse('{"a":'.repeat(2_000) + "1" + "}".repeat(2_000))
  expect(valuesIn(wide)).toHaveLength(200)
  expect(valuesIn(deep)).toEqual([])
  expect(placesIn(deep)).toEqual([])
})
