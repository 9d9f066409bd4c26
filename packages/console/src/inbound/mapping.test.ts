import { expect, it } from "vitest"
import {
  draftOf,
  emptyMapping,
  fieldWords,
  filled,
  mappingOf,
  namesSomeone,
  otherFields,
} from "./mapping.ts"

it("fills one field after the other, and stays at the last", () => {
  const one = filled(emptyMapping, 0, "$.mail")
  expect(one.draft.fields[0]).toEqual({ field: "email", source: "$.mail" })
  expect(emptyMapping.fields[one.next]!.field).toBe("firstName")

  const two = filled(one.draft, 0, "$.email")
  expect(two.draft.fields[0]).toEqual({ field: "email", source: "$.email" })
  const last = emptyMapping.fields.length - 1
  expect(filled(two.draft, last, "$.at").next).toBe(last)
})

it("sends the filled fields alone, and a text after = as it was typed", () => {
  const draft = {
    kind: "person",
    each: "$.rows[*]",
    fields: [
      { field: "email", source: " $.mail " },
      { field: "lastName", source: " " },
      { field: "eventName", source: "=webinar " },
      { field: "custom.", source: "$.x" },
      { field: "custom.plan", source: "$.plan" },
    ],
  } as const
  expect(mappingOf(draft)).toEqual({
    kind: "person",
    each: "$.rows[*]",
    fields: { email: "$.mail", eventName: "=webinar ", "custom.plan": "$.plan" },
  })
})

it("shows a mapping with its own fields first, and gives it back", () => {
  const mapping = { kind: "company", fields: { website: "$.site", "custom.plan": "=a" } } as const
  const draft = draftOf(mapping)
  expect(draft.fields.slice(0, 3).map(({ field }) => fieldWords(field))).toEqual([
    "Company website",
    "Custom value plan",
    "Email",
  ])
  expect(mappingOf(draft)).toEqual(mapping)
})

it("needs an address or a company, and of companies a company", () => {
  const of = (kind: "person" | "company", field: string) =>
    namesSomeone({ kind, each: "", fields: [{ field, source: "$.a" }] })
  expect([of("person", "email"), of("person", "website"), of("company", "companyDomain")]).toEqual([
    true,
    true,
    true,
  ])
  expect([of("person", "firstName"), of("company", "email")]).toEqual([false, false])
  expect(namesSomeone(emptyMapping)).toBe(false)
})

it("offers each known field once, and custom values again and again", () => {
  const offered = otherFields(filled(emptyMapping, 0, "$.mail").draft).map(({ value }) => value)
  expect(offered).toContain("jobTitle")
  expect(offered).not.toContain("email")
  expect(offered.at(-1)).toBe("custom.")
})
