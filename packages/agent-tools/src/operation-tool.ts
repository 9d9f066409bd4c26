// A tool that calls one operation. Its schemas come from the operation, and each call is one request.
import { type JsonSchema, namedBy, type Operation, resolved, type Schemas } from "./operation.ts"
import { cursorAt, cutRows, readCursor, rowsDefault, rowsMax, withoutEmpty } from "./rows.ts"
import { type AgentTool, type ApiRequest, found, isSuccess, refusal, refused } from "./tool.ts"
import type { ToolLine } from "./tool-list.ts"

type Arguments = Readonly<Record<string, unknown>>

/** An argument, and the part of the request it goes into. */
interface Argument {
  readonly place: "path" | "query" | "body"
  readonly isRequired: boolean
  readonly schema: JsonSchema
}

export const operationTool = (
  line: ToolLine,
  operation: Operation,
  schemas: Schemas,
): AgentTool => {
  const accepted = argumentsOf(line, operation, schemas)
  const answers = answersOf(line, operation, schemas)
  const limitName = ["limit", "pageSize"].find((name) => accepted.has(name))
  // The operation has no limit of its own, so the tool truncates its rows.
  const isCut =
    limitName === undefined &&
    line.isShort === undefined &&
    answers.some((answer) => hasRows(answer, schemas))
  const isList = answers.some(({ properties }) => properties?.["data"]?.type === "array")
  const isPaged = isCut && isList && line.isSeries === undefined
  // Rows about visitors have many fields, and an agent may want only a few.
  const rowFields =
    isList && line.wordsOf === "visitors"
      ? answers.flatMap((answer) => Object.keys(rowOf(answer, schemas).properties ?? {}))
      : undefined
  const limitMax =
    (limitName === undefined ? undefined : accepted.get(limitName)!.schema.maximum) ?? rowsMax
  const properties = {
    ...Object.fromEntries(
      [...accepted]
        .filter(([name]) => name !== limitName)
        .map(([name, { schema }]) => [name, { ...schema, ...line.arguments?.get(name) }]),
    ),
    ...(isCut || limitName !== undefined ? { limit: limitOf(limitMax) } : {}),
    ...(isPaged ? { cursor: ownCursor } : {}),
    ...(rowFields === undefined ? {} : { fields: ownFields }),
  }
  const required = [...accepted].filter(([, { isRequired }]) => isRequired).map(([name]) => name)

  return {
    name: line.name,
    title: line.title ?? operation.summary,
    description: `${line.description ?? operation.description}${operation.needsKey ? " Requires an API key." : ""}`,
    isWrite: line.isWrite === true,
    isOpenWorld: line.wordsOf === "website",
    inputSchema: withNamed(
      { type: "object", properties, required, additionalProperties: false },
      schemas,
    ),
    // Visitor data omits fields without a value.
    outputSchema:
      line.wordsOf === "visitors"
        ? withoutRequired(withNamed(outputOf(answers, line), schemas))
        : withNamed(outputOf(answers, line), schemas),
    *run(called) {
      const input = new Map(Object.entries(called))
      const problem = problemOf(line.name, input, Object.keys(properties), required)
      if (problem !== undefined) return refused(problem)
      const limit = readLimit(properties, input.get("limit"), limitMax)
      if (limit === undefined) return refused(`limit: expected a number from 1 to ${limitMax}.`)
      const fields = readFields(input.get("fields"), rowFields)
      if (typeof fields === "string") return refused(fields)
      const answered = (content: Answer & { readonly next?: string | undefined }) =>
        found(
          line.wordsOf === "visitors"
            ? { ...content, data: withoutEmpty(content.data, fields) }
            : content,
          line.wordsOf,
        )
      const { page, shown } = isPaged ? readCursor(input.get("cursor")) : { page: "", shown: 0 }
      const sent = {
        ...Object.fromEntries([...input].filter(([name]) => accepted.has(name))),
        ...(limitName === undefined ? {} : { [limitName]: limit }),
        ...(isPaged && accepted.has("cursor") ? { cursor: page === "" ? undefined : page } : {}),
        ...line.fixed,
      }
      const request = requestOf(operation, accepted, sent)
      if (typeof request === "string") return refused(request)
      const answer = yield request
      if (!isSuccess(answer)) return refusal(line.name, answer, operation)
      let current = answer.body as Answer
      if (!isCut) return answered({ ...current, next: nextPage(line.name, current) })
      let rest = Array.isArray(current.data) ? current.data.slice(shown) : current.data
      let [lastPage, lastShown] = [page, shown]
      // A page from the API may have fewer rows than requested.
      let cursor = isPaged && accepted.has("cursor") ? current.meta?.nextCursor : undefined
      while (typeof cursor === "string" && Array.isArray(rest) && rest.length < limit) {
        const more = yield requestOf(operation, accepted, { ...sent, cursor }) as ApiRequest
        if (!isSuccess(more)) return refusal(line.name, more, operation)
        current = more.body as Answer
        lastPage = cursor
        lastShown = -rest.length
        rest = [...rest, ...(current.data as ReadonlyArray<unknown>)]
        cursor = current.meta?.nextCursor
      }
      const { cuts, value } = cutRows(rest, { limit, isSeries: line.isSeries === true })
      const isPageCut = isPaged && Array.isArray(rest) && rest.length > limit
      // `meta` must not include the cursor of the page's end: paging from there would skip the rows
      // that are left out here.
      const own = isPageCut ? cursorAt(lastShown + limit, lastPage) : undefined
      const meta = own === undefined ? current.meta : { ...current.meta, nextCursor: own }
      const next =
        own !== undefined
          ? again(line.name, own)
          : cuts.length > 0
            ? leftOut(cuts, limit, line.isSeries === true)
            : nextPage(line.name, current)
      return answered({ data: value, meta, next })
    },
  }
}

interface Answer {
  readonly data: unknown
  readonly meta?: { readonly nextCursor?: string | null } | undefined
}

const argumentsOf = (
  { fixed = {}, only, required = only, without = [] }: ToolLine,
  { body, parameters }: Operation,
  schemas: Schemas,
): ReadonlyMap<string, Argument> => {
  const members = body === null ? {} : resolved(body, schemas)
  const all = [
    ...parameters.map(({ in: place, name, required: isRequired, schema }) => ({
      name,
      place: place as "path" | "query", // headers are not among them
      isRequired,
      schema,
    })),
    ...Object.entries(members.properties ?? {}).map(([name, schema]) => ({
      name,
      place: "body" as const,
      isRequired: members.required?.includes(name) === true,
      schema,
    })),
  ]
  const offered = all.filter(
    ({ name }) =>
      (only === undefined || only.includes(name)) &&
      !without.includes(name) &&
      name !== "fields" && // tools about visitors have their own, with a list of names
      !Object.hasOwn(fixed, name),
  )
  return new Map(
    offered.map(({ isRequired, name, place, schema }) => [
      name,
      { place, schema, isRequired: isRequired || required?.includes(name) === true },
    ]),
  )
}

const answersOf = (
  { answer }: ToolLine,
  { answers }: Operation,
  schemas: Schemas,
): ReadonlyArray<JsonSchema> =>
  answers
    .flatMap((schema) => schema.anyOf ?? [schema])
    .filter(({ $ref }) => answer === undefined || $ref === `#/$defs/${answer}`)
    .map((schema) => resolved(schema, schemas))

/** Whether its data contains lists of rows, which may be long. */
const hasRows = (answer: JsonSchema, schemas: Schemas): boolean => {
  const seen = new Set<JsonSchema>()
  const containsRows = (schema: JsonSchema | undefined): boolean => {
    if (schema === undefined) return false
    const inner = resolved(schema, schemas)
    if (seen.has(inner)) return false
    seen.add(inner)
    const { anyOf = [], items, properties = {} } = inner
    const isRows = items !== undefined && resolved(items, schemas).type === "object"
    return isRows || [...anyOf, ...Object.values(properties), items].some(containsRows)
  }
  return containsRows(answer.properties?.["data"])
}

/** The row schema of a list response. */
const rowOf = ({ properties }: JsonSchema, schemas: Schemas): JsonSchema =>
  resolved(properties?.["data"]?.items ?? {}, schemas)

/** Every tool names it `limit`, whatever the operation calls it. */
const limitOf = (maximum: number): JsonSchema => ({
  type: "integer",
  minimum: 1,
  maximum,
  description: `How many rows to return. Default ${rowsDefault}.`,
  default: rowsDefault,
})

const ownFields: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description:
    'The fields to return for each row, such as ["email", "jobTitle"]. Default: all that have a value.',
}

const ownCursor: JsonSchema = {
  type: "string",
  description: "Where to continue: the cursor from the last result.",
}

const readLimit = (
  properties: Readonly<Record<string, JsonSchema>>,
  input: unknown,
  limitMax: number,
): number | undefined => {
  const limit =
    input === undefined || properties["limit"] === undefined ? rowsDefault : Number(input)
  return Number.isInteger(limit) && limit >= 1 && limit <= limitMax ? limit : undefined
}

/** The fields to keep; undefined keeps all. Returns a string if the argument is invalid. */
const readFields = (
  input: unknown,
  known: ReadonlyArray<string> | undefined,
): ReadonlySet<string> | undefined | string => {
  if (input === undefined || known === undefined) return undefined
  if (!Array.isArray(input) || input.length === 0) {
    return 'fields: expected a list of names, such as ["email"].'
  }
  const unknown = input.find((name) => !known.includes(name))
  return unknown === undefined
    ? new Set(input)
    : `fields: there is no field ${JSON.stringify(unknown)}. The fields are ${known.join(", ")}.`
}

const outputOf = (
  answers: ReadonlyArray<JsonSchema>,
  { wordsOf }: ToolLine,
): JsonSchema & { readonly type: "object" } => {
  const member = (name: "data" | "meta"): JsonSchema => {
    const schemas = answers.flatMap(({ properties }) => properties?.[name] ?? [])
    const different = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()]
    return different.length === 1 ? different[0]! : { anyOf: different }
  }
  return {
    type: "object",
    properties: {
      ...(wordsOf === undefined ? {} : { notice: { type: "string" } }),
      data: member("data"),
      meta: member("meta"),
      next: { type: "string", description: "How to get the omitted rows." },
    },
    required: ["data", "meta"],
    additionalProperties: false,
  }
}

const withNamed = <Schema extends JsonSchema>(schema: Schema, schemas: Schemas): Schema => {
  const $defs = namedBy(schema, schemas)
  return Object.keys($defs).length === 0 ? schema : { ...schema, $defs }
}

/** The same schema without required members, except in the result itself. */
const withoutRequired = <Schema extends JsonSchema>(schema: Schema): Schema => {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) =>
        name === "required" && Array.isArray(member) ? [] : [[name, inner(member)]],
      ),
    )
  }
  // The result has the same shape as the input.
  return { ...(inner(schema) as Schema), required: schema.required }
}

const problemOf = (
  tool: string,
  input: ReadonlyMap<string, unknown>,
  known: ReadonlyArray<string>,
  required: ReadonlyArray<string>,
): string | undefined => {
  const unknown = [...input.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return `${tool} has no argument "${unknown}". It accepts ${known.length === 0 ? "none" : known.join(", ")}.`
  }
  const missing = required.find((name) => input.get(name) === undefined)
  return missing === undefined ? undefined : `${tool} requires the argument ${missing}.`
}

/** Builds the request, or returns what is wrong with an argument. */
const requestOf = (
  { body, method, path }: Operation,
  accepted: ReadonlyMap<string, Argument>,
  sent: Arguments,
): ApiRequest | string => {
  const query = new URLSearchParams()
  const members = new Map<string, unknown>()
  let filled = path
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined) continue
    const place = accepted.get(name)?.place ?? "body"
    if (place === "body") {
      members.set(name, value)
      continue
    }
    if (typeof value === "object") return `${name}: expected a string or a number.`
    const text = String(value)
    if (place === "query") query.append(name, text)
    // As a path segment they would change the path.
    else if (["", ".", ".."].includes(text)) return `${name}: expected an id, received "${text}".`
    else filled = filled.replace(`{${name}}`, () => encodeURIComponent(text))
  }
  const target = query.size === 0 ? filled : `${filled}?${query}`
  return { method, path: target, ...(body === null ? {} : { body: Object.fromEntries(members) }) }
}

const again = (tool: string, cursor: string): string =>
  `There are more rows. To get them, call ${tool} again with the same arguments and cursor ${JSON.stringify(cursor)}.`

const nextPage = (tool: string, { meta }: Answer): string | undefined =>
  typeof meta?.nextCursor === "string" ? again(tool, meta.nextCursor) : undefined

const leftOut = (
  cuts: ReadonlyArray<{ readonly place: string; readonly total: number }>,
  limit: number,
  isSeries: boolean,
): string => {
  const lists = cuts.map(({ place, total }) => `${total}${place === "" ? "" : ` in ${place}`}`)
  return `Only the ${isSeries ? "last" : "first"} ${limit} rows are here, of ${[...new Set(lists)].join(", ")}. To get more, call again with a higher limit, at most ${rowsMax}.`
}
