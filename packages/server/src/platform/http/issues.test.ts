import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { issuesMax, issuesOf, type Source } from "./issues.ts"
import { noParameters } from "./fields.ts"
import { strict } from "./contract.ts"

/** The issues of a value; an empty list if it is valid. */
const issues = <S extends Schema.Decoder<unknown>>(
  schema: S,
  value: unknown,
  source: Source = "body",
) => {
  const result = Schema.decodeUnknownResult(schema, strict)(value)
  return Result.isFailure(result) ? issuesOf(source, result.failure) : []
}

const first = <S extends Schema.Decoder<unknown>>(schema: S, value: unknown, source?: Source) =>
  issues(schema, value, source)[0]

/** Accepts one optional field. The library's empty Struct rejects nothing. */
const known = Schema.Struct({ known: Schema.optionalKey(Schema.Int) })

const object = <S extends Schema.Decoder<unknown>>(field: S) => Schema.Struct({ field })

const days = Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 3650 }))

describe("issue codes of spec 9", () => {
  it("required: a missing field", () => {
    expect(first(object(Schema.String), {})).toEqual({
      path: "/body/field",
      code: "required",
      message: "This field is required.",
    })
  })

  it("type: contains what was expected and what was received", () => {
    expect(first(object(Schema.String), { field: 7 })).toEqual({
      path: "/body/field",
      code: "type",
      message: "Expected a string, received 7.",
    })
    expect(first(object(Schema.Boolean), { field: "yes" })?.message).toBe(
      'Expected true or false, received "yes".',
    )
    expect(first(object(Schema.Array(Schema.String)), { field: {} })?.message).toBe(
      "Expected a list, received an object.",
    )
    expect(first(object(object(Schema.Int)), { field: [1, 2] })?.message).toBe(
      "Expected an object, received a list of 2.",
    )
    expect(first(object(Schema.Number), { field: null })?.message).toBe(
      "Expected a number, received null.",
    )
  })

  it("type: a fraction where an integer is expected", () => {
    expect(first(object(Schema.Int), { field: 1.5 })).toMatchObject({ code: "type" })
  })

  it.each([
    ["alone", (range: typeof days) => range],
    ["beside null", (range: typeof days) => Schema.NullOr(range)],
  ])("type: a fraction where an integer has bounds, %s", (_, of) => {
    expect(issues(object(of(days)), { field: 30.5 })).toEqual([
      {
        path: "/body/field",
        code: "type",
        message: "Expected an integer between 30 and 3650, received 30.5.",
      },
    ])
    expect(first(object(of(days)), { field: 29 })).toMatchObject({ code: "min" })
    expect(first(object(Schema.NullOr(days)), { field: "x" })?.message).toBe(
      'Expected a number or null, received "x".',
    )
  })

  it("format: text that does not match its pattern", () => {
    expect(first(object(Schema.String.check(Schema.isUUID())), { field: "x" })).toMatchObject({
      path: "/body/field",
      code: "format",
      message: expect.stringContaining('received "x"'),
    })
  })

  it("enum: lists the valid values", () => {
    expect(first(object(Schema.Literals(["asc", "desc"])), { field: "up" })).toEqual({
      path: "/body/field",
      code: "enum",
      message: 'Expected one of asc, desc, received "up".',
      allowed: ["asc", "desc"],
    })
  })

  it("min and max, for one bound and for a range", () => {
    const between = object(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
    const atLeast = object(Schema.Number.check(Schema.isGreaterThanOrEqualTo(1)))
    const below = object(Schema.Number.check(Schema.isLessThan(10)))

    expect(first(between, { field: 0 })?.code).toBe("min")
    expect(first(between, { field: 101 })?.code).toBe("max")
    expect(issues(between, { field: 1 })).toEqual([])
    expect(issues(between, { field: 100 })).toEqual([])
    expect(first(atLeast, { field: 0 })?.code).toBe("min")
    expect(first(below, { field: 10 })?.code).toBe("max")
  })

  it("min_length and max_length for text, min_items and max_items for lists", () => {
    const text = object(Schema.String.check(Schema.isMinLength(2), Schema.isMaxLength(3)))
    const list = object(
      Schema.Array(Schema.Int).check(Schema.isMinLength(1), Schema.isMaxLength(2)),
    )

    expect(first(text, { field: "a" })?.code).toBe("min_length")
    expect(first(text, { field: "abcd" })?.code).toBe("max_length")
    expect(first(list, { field: [] })?.code).toBe("min_items")
    expect(first(list, { field: [1, 2, 3] })?.code).toBe("max_items")
  })

  it("unknown_field in a body, unknown_parameter in a query", () => {
    expect(first(known, { more: 1 }, "body")).toMatchObject({
      path: "/body/more",
      code: "unknown_field",
    })
    for (const schema of [known, noParameters]) {
      expect(first(schema, { more: "1" }, "query")).toMatchObject({
        path: "/query/more",
        code: "unknown_parameter",
      })
      expect(issues(schema, {}, "query")).toEqual([])
    }
  })

  it("repeated_parameter: a query parameter given twice, whatever its type", () => {
    const number = Schema.NumberFromString
    for (const field of [Schema.String, number, Schema.Literals(["7d", "30d"])]) {
      expect(first(object(field), { field: ["7d", "7d"] }, "query")).toMatchObject({
        path: "/query/field",
        code: "repeated_parameter",
      })
    }
  })

  it("a filter may set its own code", () => {
    const one = Schema.Struct({
      a: Schema.optionalKey(Schema.Int),
      b: Schema.optionalKey(Schema.Int),
    })
    const exclusive = one.check(
      Schema.makeFilter(({ a, b }) => a === undefined || b === undefined, {
        issueCode: "mutually_exclusive",
        expected: "only one of a and b",
      }),
    )

    expect(first(exclusive, { a: 1, b: 2 })).toMatchObject({
      path: "/body",
      code: "mutually_exclusive",
      message: expect.stringContaining("Expected only one of a and b"),
    })
  })

  it("a union reports its closest member", () => {
    const union = object(
      Schema.Union([Schema.String, Schema.Struct({ inner: Schema.Struct({ deep: Schema.Int }) })]),
    )

    expect(first(union, { field: { inner: { deep: "x" } } })?.path).toBe("/body/field/inner/deep")
    expect(first(union, { field: 7 })).toMatchObject({
      path: "/body/field",
      code: "type",
      message: "Expected a string or an object, received 7.",
    })
  })
})

describe("a field that may be null", () => {
  it("names the bound that was exceeded", () => {
    const text = object(Schema.NullOr(Schema.String.check(Schema.isMaxLength(3))))
    const list = object(Schema.NullOr(Schema.Array(Schema.Int).check(Schema.isMaxLength(2))))

    expect(first(text, { field: "abcd" })).toMatchObject({
      path: "/body/field",
      code: "max_length",
    })
    expect(first(list, { field: [1, 2, 3] })?.code).toBe("max_items")
    expect(first(list, { field: [1, "2"] })).toMatchObject({ path: "/body/field/1", code: "type" })
    expect(first(text, { field: 7 })).toMatchObject({
      code: "type",
      message: "Expected a string or null, received 7.",
    })
  })

  it("lists the values of an enumeration", () => {
    const field = object(Schema.NullOr(Schema.Literals(["off", "forms"])))

    expect(first(field, { field: "on" })).toMatchObject({
      path: "/body/field",
      code: "enum",
      allowed: ["off", "forms"],
    })
  })
})

describe("an issue list", () => {
  it("contains every wrong field, and elements of lists by position", () => {
    const schema = Schema.Struct({ a: Schema.Int, rows: Schema.Array(object(Schema.Int)) })

    expect(
      issues(schema, { a: "x", rows: [{ field: 1 }, { field: "y" }, {}] }).map(({ path }) => path),
    ).toEqual(["/body/a", "/body/rows/1/field", "/body/rows/2/field"])
  })

  it("has paths that are JSON pointers: ~ and / inside a name are escaped", () => {
    expect(first(known, { "a/b~c": 1 })?.path).toBe("/body/a~1b~0c")
  })

  it.each([99, 100, 101])("holds at most 100 entries: of %i", (count) => {
    const rows = Array.from({ length: count }, () => "x")

    expect(issuesMax).toBe(100)
    expect(issues(Schema.Array(Schema.Int), rows)).toHaveLength(Math.min(count, 100))
  })

  it("cuts a received value at 80 characters, and closes its quote", () => {
    expect(first(object(Schema.Int), { field: "x".repeat(500) })?.message).toBe(
      `Expected a number, received "${"x".repeat(79)}…".`,
    )
  })

  it.each(["apiKey", "secret", "token", "password", "authorization", "refreshToken"])(
    "never shows the value of a field named %s",
    (name) => {
      const message = first(Schema.Struct({ [name]: Schema.Int }), { [name]: "hunter2" })?.message

      expect(message).toBe("Expected a number, received a value that is not shown.")
    },
  )

  it("never shows the content of a secret", () => {
    const nested = Schema.Struct({ secrets: Schema.Array(Schema.Int) })

    expect(first(nested, { secrets: ["hunter2"] })?.message).not.toContain("hunter2")
  })

  it("can be created from any JSON without an exception, with paths into the source", () => {
    const schema = Schema.Struct({
      a: Schema.Int,
      b: Schema.Array(Schema.Literals(["x", "y"])),
      c: Schema.optionalKey(Schema.NullOr(object(Schema.String))),
    })
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const { code, message, path } of issues(schema, value)) {
          expect(path).toMatch(/^\/body(?:\/|$)/)
          expect(code).toMatch(/^[a-z_]+$/)
          expect(message.length).toBeLessThan(300)
        }
      }),
    )
  })
})
