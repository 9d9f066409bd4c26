// The method of an operation: its docstring, its parameters, its result and the call.

import { clientOf } from "../api-reference/clients.ts"
import { type Endpoint, nameOf, type Schema } from "../api-reference/contract.ts"
import { itemsOf, resolved } from "./contract.ts"
import { errorsText } from "./errors.ts"
import { groups, type Noun } from "./nouns.ts"
import { answerName, comment, type FileTypes, type Member, membersOf } from "./types.ts"

/** One method, as it is written. */
interface Method {
  readonly endpoint: Endpoint
  readonly noun: Noun
  readonly name: string
  readonly types: FileTypes
}

const credentialsOf = ({ security = [] }: Endpoint): string => {
  const accepted = new Set(security.flatMap((one) => Object.keys(one)))
  if (accepted.size === 0) return "none"
  if (security.some((one) => Object.keys(one).length === 0)) return "optional"
  if (accepted.size === 2) return "either"
  return accepted.has("apiKey") ? "apiKey" : "accessToken"
}

const title = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const typeName = ({ name, noun }: Method, end: string): string =>
  `${noun.class.replace(/ies$/, "y").replace(/s$/, "")}${title(name)}${end}`

/** The parameters of a path or of a query. In an address, true and false are words. */
const parametersIn = (endpoint: Endpoint, place: "path" | "query"): ReadonlyArray<Member> =>
  (endpoint.parameters ?? [])
    .filter((one) => one.in === place)
    .map(({ description, name, required, schema }) => ({
      name: place === "path" ? argumentOf(name, endpoint.path) : name,
      schema: schema.enum?.toSorted().join() === "false,true" ? { type: "boolean" } : schema,
      isRequired: required === true,
      description: description ?? schema.description,
    }))

/** `id` in a path is the id of what the path names before it. */
const argumentOf = (name: string, path: string): string => {
  if (name !== "id") return name
  const before = path.split("/{id}")[0]!.split("/").at(-1)!.replace(/s$/, "")
  return `${before.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/** What a method takes besides the ids of its path: the argument, and what the call sends. */
const inputOf = (method: Method) => {
  const { endpoint, name, noun, types } = method
  const client = clientOf(endpoint.operationId)
  const body = client.sendsNothing
    ? undefined
    : endpoint.requestBody?.content["application/json"]?.schema
  const members = (
    body === undefined ? parametersIn(endpoint, "query") : membersOf(resolved(body))
  ).filter((one) => one.name !== "fields" && noun.without?.[name]?.includes(one.name) !== true)
  if (members.length === 0) return undefined
  const only = members.find((one) => one.name === client.alone)
  if (only !== undefined)
    return {
      argument: `${only.name}: ${types.typeOf(only.schema, "sent")}`,
      sent: `${body === undefined ? "query" : "body"}: { ${only.name} }`,
    }
  const isOptional =
    endpoint.method !== "PATCH" &&
    noun.groups?.[name]?.includes("Qualification") !== true &&
    members.every(({ isRequired }) => !isRequired)
  return {
    argument: `params: ${inputType(method, body, members)}${isOptional ? " = {}" : ""}`,
    sent: body === undefined ? "query: { ...params }" : "body: params",
  }
}

const inputType = (
  method: Method,
  body: Schema | undefined,
  members: ReadonlyArray<Member>,
): string => {
  const { noun, types } = method
  const names = new Set(members.map((one) => one.name))
  const isPosition = groups["ListPosition"]!.every((name) => names.has(name))
  const these = noun.groups?.[method.name] ?? (isPosition ? ["ListPosition"] : [])
  const name = noun.params?.[method.name] ?? typeName(method, "Params")
  if (body !== undefined && these.length === 0)
    return body.$ref === undefined ? types.name(name, body, "sent") : types.typeOf(body, "sent")
  const grouped = new Set(these.flatMap((group) => groups[group] ?? []))
  const rest = members.filter((one) => !grouped.has(one.name))
  return rest.length === 0 && these.length === 1
    ? types.handWritten(these[0]!)
    : types.made(name, { types: these }, rest, "sent")
}

/** What a method returns, and how it is read. */
interface Result {
  readonly type: string
  readonly typeArgument?: string
  readonly end?: string
  /** The settings of a list. */
  readonly list?: ReadonlyArray<string>
}

const common = new Set(["timestamp", "request_id", "hint"])
const plainMeta = "hasMore,limit,nextCursor,offset,total"

const resultOf = (method: Method): Result => {
  const { endpoint, types } = method
  const { schema } = Object.values(endpoint.responses)[0]!.content!["application/json"]!
  // Of two kinds of responses, a method by hand reads the second.
  const whole = schema.anyOf?.[0] ?? schema
  const { data, meta } = resolved(whole).properties!
  const members = membersOf(resolved(data!))
  const about = membersOf(resolved(meta!)).filter((one) => !common.has(one.name))
  if (about.some((one) => one.name === "nextCursor")) return pageOf(method, data!, about)
  if (members.map((one) => one.name).join() === "deleted")
    return { type: `ApiCall<${types.handWritten("Deleted")}>` }
  if (data!.$ref !== undefined || data!.properties === undefined || types.isNamed(data!))
    return { type: `ApiCall<${types.typeOf(data!, "received")}>` }
  const only = members.find((one) => one.schema.$ref !== undefined || itemsOf(one.schema))
  if (only !== undefined && members.every((one) => one === only || one.name === "total")) {
    const type = types.typeOf(only.schema, "received")
    return {
      type: `ApiCall<${type}>`,
      typeArgument: `<{ readonly ${only.name}: ${type} }>`,
      end: `.map(({ ${only.name} }) => ${only.name})`,
    }
  }
  const name = answerName(nameOf(whole.$ref!))
  const { description: _, ...unnamed } = data!
  const { description } = resolved(whole)
  return {
    type: `ApiCall<${types.name(name, { ...unnamed, ...(description !== undefined && { description }) }, "received")}>`,
  }
}

/** A page has its rows as `data`, or as a member of `data` whose others belong to `meta`. */
const pageOf = (method: Method, data: Schema, meta: ReadonlyArray<Member>): Result => {
  const { endpoint, name, noun, types } = method
  const members = membersOf(resolved(data))
  const rows = members.find(({ schema }) => itemsOf(schema) !== undefined)
  const about = [...members.filter((one) => one !== rows && one.name !== "hasMore"), ...meta]
  const item = types.typeOf(itemsOf(rows?.schema ?? data)!, "received")
  const isPlain =
    about
      .map((one) => one.name)
      .toSorted()
      .join() === plainMeta
  const metaType = isPlain
    ? types.handWritten("ListMeta")
    : types.made(
        noun.metas?.[name] ?? typeName(method, "Meta"),
        { types: [], base: "ResponseMeta" },
        about,
        "received",
      )
  return {
    type: `PagedList<${item}, ${metaType}>`,
    list: [
      ...(rows === undefined ? [] : [`rows: "${rows.name}"`]),
      ...(endpoint.method === "POST" ? [`method: "POST"`] : []),
    ],
  }
}

export const methodText = (endpoint: Endpoint, noun: Noun, types: FileTypes): string => {
  const client = clientOf(endpoint.operationId)
  const name =
    noun.callable !== undefined && client.sdk === noun.property
      ? noun.callable
      : client.sdk.replace(/.*\./, "")
  const method: Method = { endpoint, name, noun, types }
  const has = (parameter: string) => endpoint.parameters?.some((one) => one.name === parameter)
  const credentials = credentialsOf(endpoint)
  const ids = parametersIn(endpoint, "path")
  const input = inputOf(method)
  const { end = "", list, type, typeArgument = "" } = resultOf(method)
  const given = [
    ...(client.named
      ? [
          `{ ${ids.map((one) => one.name).join(", ")} }: ${types.made(noun.ids!, {}, ids, "received")}`,
        ]
      : ids.map((one) => `${one.name}: ${types.typeOf(one.schema, "sent")}`)),
    ...(input === undefined ? [] : [input.argument]),
    `options: ${has("idempotency-key") ? "CreateOptions" : "RequestOptions"} = {}`,
  ].join(", ")
  const at = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, id: string) => {
    const argument = argumentOf(id, endpoint.path)
    const isText = ids.some((one) => one.name === argument && one.schema.type === "string")
    return isText ? `\${${argument}}` : `\${String(${argument})}`
  })
  const settings = [
    ...(list ?? (input === undefined ? [] : [input.sent])),
    ...(client.repeatable ? ["isRepeatable: true"] : []),
    `credentials: "${credentials}"`,
    ...(noun.secrets?.[name] === undefined
      ? []
      : [`secrets: [${noun.secrets[name].map((one) => `params.${one}`).join(", ")}]`]),
    "options",
  ].join(", ")
  const verb = has("idempotency-key") ? "create" : endpoint.method.toLowerCase()
  const to = ids.length === 0 ? `"${at}"` : `path\`${at}\``
  const call =
    list === undefined
      ? `${verb}${typeArgument}(${to}, { ${settings} })${end}`
      : `list(${to}, ${input === undefined ? "{}" : "params"}, { ${settings} })`
  const text = [noun.descriptions?.[name] ?? endpoint.description, noun.notes?.[name]]
  const errors = errorsText(endpoint, { credentials, hasInput: input !== undefined })
  return [
    comment(`${text.filter((one) => one !== undefined).join(" ")}${errors}`),
    has("fields") ? chosen(name, given, type, types) : "",
    `  ${name}(${given}): ${type} {\n    return this.#transport.${call}\n  }\n`,
  ].join("")
}

/** The overloads of a list that can leave out fields of its rows. */
const chosen = (name: string, given: string, result: string, types: FileTypes): string => {
  const [, params = ""] = /params: (\w+)/.exec(given) ?? []
  const [, item = "", meta = ""] = /^PagedList<(\w+), (\w+)>$/.exec(result) ?? []
  return `  ${name}<Field extends keyof ${item}>(params: ${params} & ${types.handWritten("ChosenFields")}<Field>, options?: RequestOptions): PagedList<Pick<${item}, Field>, ${meta}>
  ${name}(params?: ${params}, options?: RequestOptions): ${result}
`
}
