// How the first lines determine the layout of a file, and what the reader refuses to guess.

import { describe, expect, test } from "vitest"
import { layoutOf, type LayoutQuestion } from "./layout.ts"

const layout = (head: string, options: Partial<LayoutQuestion> = {}) =>
  layoutOf({ head, isWhole: true, name: "list", type: undefined, column: undefined, ...options })

describe("a table", () => {
  test.each([
    ["commas", "type,value\ndomain,a.example", ","],
    ["semicolons", "type;value\ndomain;a.example", ";"],
    ["tabs", "type\tvalue\ndomain\ta.example", "\t"],
    ["bars", "type|value\ndomain|a.example", "|"],
    ["quotes around delimiters", '"type";"value"\n"industry";"a, b, c"', ";"],
  ])("is recognized by %s", (_what, head, delimiter) => {
    expect(layout(head)).toMatchObject({
      delimiter,
      hasHeader: true,
      typeColumn: 0,
      valueColumn: 1,
      type: null,
    })
  })

  test.each([
    ["Name,E-Mail,City\nJane,jane@a.example,Oslo", 1, "email"],
    ["id,company domain\n1,a.example", 1, "company_domain"],
    ["id,Website\n1,a.example", 1, "company_domain"],
    ["id;email-domain\n1;a.example", 1, "domain"],
  ])("%j has a column with a well-known name", (head, valueColumn, type) => {
    expect(layout(head)).toMatchObject({ valueColumn, type, hasHeader: true })
  })

  test("the user can specify the column, by name or number, and the type", () => {
    const head = "id,Contact\n1,jane@a.example"

    expect(layout(head, { column: "contact", type: "email" })).toMatchObject({
      valueColumn: 1,
      type: "email",
      hasHeader: true,
    })
    expect(layout(head, { column: "2", type: "email" })).toMatchObject({
      valueColumn: 1,
      hasHeader: true,
    })
    expect(layout("1,jane@a.example\n2,lee@a.example", { column: "2" })).toMatchObject({
      type: "email",
      hasHeader: false,
    })
  })

  test("--type selects among several well-known columns, and takes precedence over a type column", () => {
    expect(layout("email,company_domain\na@b.example,b.example", { type: "email" })).toMatchObject({
      valueColumn: 0,
      type: "email",
    })
    expect(layout("type,value\nx,b.example", { type: "domain" })).toMatchObject({
      valueColumn: 1,
      typeColumn: null,
      type: "domain",
    })
  })

  test.each([
    ["email,company_domain\na@b.example,b.example", {}, "more than one column fits"],
    ["a,b\n1,2", {}, "line 1: no column has a known name (a, b)"],
    ["email,name\na@b.example,A", { type: "industry" }, "no column for industry"],
    ["email,name\na@b.example,A", { column: "mail" }, 'has no column "mail"'],
    ["email,name\na@b.example,A", { column: "3" }, 'has no column "3"'],
    ["email,name\na@b.example,A", { column: "0" }, 'has no column "0"'],
    ["id,note\n1,hello", { column: "note" }, 'the column "note" in list'],
  ] as const)("%j with %j is rejected", (head, options, message) => {
    expect(() => layout(head, options)).toThrow(message)
  })
})

describe("a list", () => {
  test.each([
    ["a.example\nb.example\n", "domain", false],
    ["https://www.a.example/x\nb.example\n", "domain", false],
    ["jane@a.example\r\nlee@a.example\r\n", "email", false],
    ["Domains to block\na.example\nb.example\n", "domain", true],
    ["domain\na.example\n", "domain", true],
    ["# ours\na.example\n", "domain", false],
  ])("%j has the type %s", (head, type, hasHeader) => {
    expect(layout(head)).toMatchObject({ delimiter: null, type, hasHeader, valueColumn: 0 })
  })

  test("of industries may contain any delimiter", () => {
    expect(layout("health, wellness\nretail, food", { type: "industry" })).toMatchObject({
      delimiter: null,
      type: "industry",
      hasHeader: false,
    })
  })

  test("does not lose a row as a header: a row that looks like a value is one", () => {
    expect(layout("a.example\njane@b.example", { type: "email" })).toMatchObject({
      hasHeader: false,
    })
    expect(layout("jane@b.example\na.example", { type: "domain" })).toMatchObject({
      hasHeader: false,
    })
  })

  test("is described as a guess if its type is guessed", () => {
    expect(layout("a.example").description).toContain("judging by its first lines")
    expect(layout("a.example", { type: "domain" }).description).toBe("a list of email domains")
  })

  test.each([["robotics\nretail"], ["a.example\njane@b.example"]])(
    "the type is not guessed for %j",
    (head) => {
      expect(() => layout(head)).toThrow("Can't tell the type of the values in list")
    },
  )

  test("a file without a row is an empty list", () => {
    expect(layout("")).toMatchObject({ delimiter: null, hasHeader: false })
  })
})

describe("the user specifies whether the first row is a header", () => {
  test.each([
    ["Trades we skip\nrobotics\nretail", { type: "industry" }, false],
    ["email,name\njane@a.example,J", {}, true],
    ["domain\na.example", {}, true],
  ] as const)("%j with %j", (head, options, isFound) => {
    expect(layout(head, options).hasHeader).toBe(isFound)
    expect(layout(head, { ...options, hasHeader: !isFound }).hasHeader).toBe(!isFound)
  })

  test("works above rows that start with their type", () => {
    expect(layout("email,jane@a.example\ndomain,a.example")).toMatchObject({ hasHeader: false })
    expect(
      layout("email,jane@a.example\nlee@a.example,x", { hasHeader: true, column: "1" }),
    ).toMatchObject({ hasHeader: true, valueColumn: 0 })
  })
})

test("an error lists what is missing, so that a form can ask for it", () => {
  const missingOf = (head: string): unknown => {
    try {
      return layout(head)
    } catch (error) {
      return error
    }
  }

  expect(missingOf("robotics\nretail")).toMatchObject({ missing: ["type"] })
  expect(missingOf("a,b\n1,2")).toMatchObject({ missing: ["column", "type"] })
  expect(missingOf("email,domain\na@b.example,b.example")).toMatchObject({ missing: ["column"] })
})
