// Turns schema errors into the issue list of spec 9: a JSON pointer, a code, and a message with what was expected and
// received. At most 100 issues. Received values are cut at 80 characters and never shown for fields whose name suggests
// a secret.
import { type Schema, type SchemaAST, SchemaIssue } from "effect"

export interface Issue {
  readonly path: string
  readonly code: string
  readonly message: string
  readonly allowed?: ReadonlyArray<string>
}

/** Maximum entries of an issue list. */ // spec 10.3
export const issuesMax = 100
const receivedLengthMax = 80
const secretName = /key|secret|token|password|auth|^headers$/i

/** Where the value came from; the first segment of the pointer. */
export type Source = "body" | "query" | "path" | "header"

export const issuesOf = (source: Source, error: Schema.SchemaError): ReadonlyArray<Issue> =>
  collect(error.issue, [source], source).slice(0, issuesMax)

type Path = ReadonlyArray<PropertyKey>

const collect = (issue: SchemaIssue.Issue, path: Path, source: Source): ReadonlyArray<Issue> => {
  switch (issue._tag) {
    case "Composite":
      return issue.issues.flatMap((inner) =>
        inner._tag === "Filter" ? filtered(inner, path, issue.ast) : collect(inner, path, source),
      )
    case "Pointer":
      return collect(issue.issue, [...path, ...issue.path], source)
    case "Encoding":
      return collect(issue.issue, path, source)
    case "AnyOf":
      return anyOf(issue, path, source)
    case "Filter":
      return filtered(issue, path)
    case "MissingKey":
      return [{ path: pointer(path), code: "required", message: "This field is required." }]
    case "UnexpectedKey":
      return [unexpected(path, source)]
    case "InvalidType":
      if (issue.ast._tag === "Never") return [unexpected(path, source)]
      return [wrongType(expectedType(issue.ast), issue, path, source)]
    default:
      return [make(path, "format", expectation(issue) ?? "a valid value", issue)]
  }
}

const unexpected = (path: Path, source: Source): Issue => {
  const [code, noun] =
    source === "body" ? ["unknown_field", "field"] : ["unknown_parameter", "parameter"]
  return { path: pointer(path), code, message: `Unknown ${noun}.` }
}

/** A repeated query parameter arrives as an array where text is expected. */
const wrongType = (
  expected: string,
  issue: SchemaIssue.Issue,
  path: Path,
  source: Source,
): Issue => {
  const received = SchemaIssue.hasInput(issue) ? issue.input : undefined
  return source === "query" && Array.isArray(received)
    ? {
        path: pointer(path),
        code: "repeated_parameter",
        message: "Send this parameter only once.",
      }
    : make(path, "type", expected, issue)
}

/**
 * Literals become one `enum` issue. Other unions report the closest member: the one matched deepest, then with the
 * fewest issues.
 */
const anyOf = (issue: SchemaIssue.AnyOf, path: Path, source: Source): ReadonlyArray<Issue> => {
  const literals = literalsOf(issue.ast)
  if (literals.length > 0) {
    const repeated = wrongType("one of its values", issue, path, source)
    if (repeated.code === "repeated_parameter") return [repeated]
    const expected = `one of ${literals.join(", ")}`
    return [{ ...make(path, "enum", expected, issue), allowed: literals }]
  }
  const members = issue.issues.map((inner) => collect(inner, path, source))
  const [closest] = members.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)
  if (closest?.[0] !== undefined && closest[0].path !== pointer(path)) return closest
  // The type matched this member, but the value broke one of its bounds.
  const bounded = members.find(
    ([first], at) =>
      first !== undefined && (first.code !== "type" || isFiltered(issue.issues[at]!)),
  )
  if (bounded !== undefined) return bounded
  const expected = issue.ast.types.map(expectedType).join(" or ")
  return [wrongType(expected, issue, path, source)]
}

/** Whether only a filter rejected the value, not its type. */
const isFiltered = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Filter" || (issue._tag === "Composite" && issue.issues.every(isFiltered))

/** How deep a union member matched: the number of segments in its first issue. */
const depth = ([first]: ReadonlyArray<Issue>): number => first?.path.split("/").length ?? 0

/** The literals of a union and its nested unions; `null` beside an enum makes one. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (ast._tag === "Union") return ast.types.flatMap(literalsOf)
  return ast._tag === "Literal" ? [String(ast.literal)] : []
}

/** Issue codes for the schema library's filters; any other filter is `format`. */
const filterCodes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "effect/schema/isInt": "type",
    "effect/schema/isFinite": "type",
    "effect/schema/isGreaterThan": "min",
    "effect/schema/isGreaterThanOrEqualTo": "min",
    "effect/schema/isLessThan": "max",
    "effect/schema/isLessThanOrEqualTo": "max",
    "effect/schema/isMinLength": "min_length",
    "effect/schema/isNonEmpty": "min_length",
    "effect/schema/isMaxLength": "max_length",
  }),
)

/** `of`: the schema with the filter, which supplies a whole number's bounds. */
const filtered = (
  issue: SchemaIssue.Filter,
  path: Path,
  of?: SchemaAST.AST,
): ReadonlyArray<Issue> => {
  const annotations: Readonly<Record<string, unknown>> = issue.filter.annotations ?? {}
  const expected = String(annotations.expected ?? expectation(issue.issue) ?? "a valid value")
  const input = SchemaIssue.hasInput(issue) ? issue.input : undefined
  const bounds = filterOf(annotations).id === "effect/schema/isInt" ? boundsOf(of) : ""
  return [make(path, filterCode(annotations, input), expected + bounds, issue)]
}

interface Filter {
  readonly id?: string
  readonly payload?: { readonly minimum: number; readonly maximum: number }
}

const filterOf = (annotations: Readonly<Record<string, unknown>> | undefined): Filter =>
  (annotations?.["representation"] ?? {}) as Filter

const boundsOf = (ast: SchemaAST.AST | undefined): string => {
  const range = (ast?.checks ?? [])
    .map(({ annotations }) => filterOf(annotations))
    .find(({ id }) => id === "effect/schema/isBetween")?.payload
  return range === undefined ? "" : ` between ${range.minimum} and ${range.maximum}`
}

const filterCode = (annotations: Readonly<Record<string, unknown>>, input: unknown): string => {
  if (typeof annotations.issueCode === "string") return annotations.issueCode
  const { id, payload } = filterOf(annotations)
  if (id === "effect/schema/isBetween" && payload !== undefined) {
    return typeof input === "number" && input < payload.minimum ? "min" : "max"
  }
  const code = filterCodes.get(id ?? "") ?? "format"
  return Array.isArray(input) ? code.replace("_length", "_items") : code
}

const expectation = (issue: SchemaIssue.Issue): string | undefined => {
  if (issue._tag !== "InvalidValue") return undefined
  const message = issue.annotations?.message
  return typeof message === "string" ? message : undefined
}

const make = (path: Path, code: string, expected: string, issue: SchemaIssue.Issue): Issue => {
  const isSecret = path.some((key) => secretName.test(String(key)))
  const received = SchemaIssue.hasInput(issue)
    ? `, received ${isSecret ? "a value that is not shown" : show(issue.input)}`
    : ""
  return { path: pointer(path), code, message: `Expected ${expected}${received}.` }
}

/** A received value for use in messages, cut at 80 characters. */
export const show = (value: unknown): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === "object") return "an object"
  const text = JSON.stringify(value) ?? String(value)
  if (text.length <= receivedLengthMax) return text
  return `${text.slice(0, receivedLengthMax)}…${text.startsWith('"') ? '"' : ""}`
}

const typeNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    String: "a string",
    Number: "a number",
    Boolean: "true or false",
    Arrays: "a list",
    Objects: "an object",
    Null: "null",
  }),
)

const expectedType = (ast: { readonly _tag: string }): string =>
  typeNames.get(ast._tag) ?? "another type"

/** A JSON pointer (RFC 6901): `~` and `/` inside a segment are escaped. */
export const pointer = (path: Path): string =>
  path.map((key) => "/" + String(key).replaceAll("~", "~0").replaceAll("/", "~1")).join("")
