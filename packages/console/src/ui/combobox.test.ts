import { expect, it } from "vitest"
import { matching } from "./combobox.tsx"

const options = [
  { value: "pages", text: "pages", group: "Visits" },
  { value: "pricing", text: "pricing pages", group: "Visits", detail: "how often" },
  { value: "name", text: "name", group: "Company" },
]

const found = (typed: string) => matching(options, typed).map(({ value }) => value)

it("offers everything before anything is typed", () => {
  expect(found("")).toEqual(["pages", "pricing", "name"])
  expect(found("   ")).toEqual(["pages", "pricing", "name"])
})

it("narrows to what contains every typed word, in any order, also of the group and the detail", () => {
  expect(found("pages visits")).toEqual(["pages", "pricing"])
  expect(found("OFTEN pri")).toEqual(["pricing"])
  expect(found("company name")).toEqual(["name"])
})

it("finds nothing for a word that nothing has, whatever its characters mean to a pattern", () => {
  expect(found("pages nothing")).toEqual([])
  expect(found(".*")).toEqual([])
})
