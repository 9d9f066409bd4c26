// The method of an operation: its docstring, its parameters, its result and the call.

import {
  jsonOf,
  nameOf,
  type Operation,
  type Parameter,
  resolved,
  type Schema,
} from "./contract.ts"
import { groups, type Noun } from "./nouns.ts"
import { answerName, comment, type FileTypes, type Member, membersOf } from "./types.ts"

const errorNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionError",
    404: "NotFoundError",
    409: "ConflictError",
    422: "UnprocessableError",
    429: "RateLimitedError",
    500: "InternalServerError",
    503: "ServiceUnavailableError",
  }),
)

/** Codes that the class of the error already says. */
const plainCodes: ReadonlySet<string> = new Set([
  "VALIDATION_ERROR",
  "FORBIDDEN",
  "ORGANIZATION_INACTIVE",
  "CONFLICT",
  "IDEMPOTENCY_MISMATCH",
  "SERVICE_UNAVAILABLE",
])

/** Where the error has what the code is about. */
const details: ReadonlyMap<string, string> = new Map(
  Object.entries({
    DELIVERY_IN_PROGRESS: "deliveryId",
    INVALID_RULE: "invalidRule",
    PIXEL_EXISTS: "pixelId",
    RUN_IN_PROGRESS: "runId",
    SEGMENT_IN_USE: "webhookIds",
    SITE_UNREADABLE: "reason",
    SLOTS_FULL: "slots",
  }),
)

/** What the server refuses because of this call: not what any call may be refused for. */
const errorsText = (operation: Operation, credentials: string): string => {
  const { parameters = [], reasons, requestBody, responses } = operation
  const hasInput = requestBody !== undefined || parameters.some((one) => one.in === "query")
  const isOwn: Readonly<Record<string, boolean>> = {
    400: hasInput,
    401: credentials === "none",
    403: credentials === "accessToken" || credentials === "none",
    404: true,
    409: (responses[409]?.description ?? "").includes("`CONFLICT`") && operation.method !== "POST",
    422: true,
  }
  const all = [...errorNames].flatMap(([status, name]) => {
    const { description } = responses[status] ?? {}
    if (description === undefined) return []
    const codes = [...description.matchAll(/`([A-Z_]+)`/g)]
      .map(([, code = ""]) => code)
      .filter((code) => !plainCodes.has(code))
      .map((code) => {
        const detail = details.get(code)
        return `\`${code}\`${detail === undefined ? "" : `: see \`${detail}\``}`
      })
    const said = [
      ...codes,
      ...(reasons[Number(status)] === undefined ? [] : [reasons[Number(status)]!]),
    ]
    if (said.length > 0) return [`${name} (${said.join("; ")})`]
    return isOwn[status] === true ? [name] : []
  })
  return all.length === 0 ? "" : ` Errors: ${all.join(", ")}.`
}

const credentialsOf = ({ security = [] }: Operation): string => {
  const accepted = new Set(security.flatMap((one) => Object.keys(one)))
  if (accepted.size === 0) return "none"
  if (security.some((one) => Object.keys(one).length === 0)) return "optional"
  if (accepted.size === 2) return "either"
  return accepted.has("apiKey") ? "apiKey" : "accessToken"
}

const title = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const singular = (noun: Noun) => noun.class.replace(/ies$/, "y").replace(/s$/, "")
const textOf = ({ schema, description }: Parameter) => description ?? schema.description

/** `id` in a path is the id of what the path names before it. */
const argumentOf = (name: string, { path }: Operation): string => {
  if (name !== "id") return name
  const before = path.split("/{id}")[0]!.split("/").at(-1)!.replace(/s$/, "")
  return `${before.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
}

/** As the method takes it: in an address, true and false are words. */
const parameterMember = (parameter: Parameter): Member => {
  const { name, required, schema } = parameter
  const isBoolean = schema.enum?.toSorted().join() === "false,true"
  return {
    name,
    schema: isBoolean ? { type: "boolean" } : schema,
    isRequired: required === true,
    description: textOf(parameter),
  }
}

/** What a method takes besides the ids of its path. */
interface Input {
  readonly argument: string
  /** As the call sends it. */
  readonly sent: string
  readonly isQuery: boolean
}

const inputOf = (
  operation: Operation,
  noun: Noun,
  name: string,
  types: FileTypes,
): Input | undefined => {
  const { client, method, parameters = [], requestBody } = operation
  const schema = requestBody && jsonOf(requestBody)
  const body = client.sendsNothing || schema === undefined ? undefined : schema
  const left = new Set(noun.without?.[name])
  const members = (
    body === undefined
      ? parameters.filter((one) => one.in === "query").map(parameterMember)
      : membersOf(resolved(body))
  ).filter((one) => one.name !== "fields" && !left.has(one.name))
  const isQuery = body === undefined
  if (members.length === 0) return undefined
  if (client.alone !== undefined) {
    const only = members.find((one) => one.name === client.alone)!
    return {
      argument: `${only.name}: ${types.typeOf(only.schema, "sent")}`,
      sent: `{ ${only.name} }`,
      isQuery,
    }
  }
  const type = inputType(noun, name, { body, members }, types)
  const isOptional =
    method !== "PATCH" &&
    noun.groups?.[name]?.includes("Qualification") !== true &&
    members.every(({ isRequired }) => !isRequired)
  return { argument: `params: ${type}${isOptional ? " = {}" : ""}`, sent: "params", isQuery }
}

const inputType = (
  noun: Noun,
  method: string,
  { body, members }: { readonly body: Schema | undefined; readonly members: ReadonlyArray<Member> },
  types: FileTypes,
): string => {
  const names = new Set(members.map(({ name }) => name))
  const isPosition = ["limit", "offset", "cursor"].every((name) => names.has(name))
  const these = noun.groups?.[method] ?? (isPosition ? ["ListPosition"] : [])
  const name = noun.params?.[method] ?? `${singular(noun)}${title(method)}Params`
  if (body !== undefined && these.length === 0)
    return body.$ref === undefined ? types.name(name, body, "sent") : types.typeOf(body, "sent")
  const grouped = new Set(these.flatMap((group) => groups[group] ?? []))
  const rest = members.filter((one) => !grouped.has(one.name))
  const [only] = these
  if (rest.length === 0 && these.length === 1 && only !== undefined) return types.handWritten(only)
  return types.made(name, { types: these }, rest, "sent")
}

/** What a method returns, and how it is read. */
interface Result {
  readonly type: string
  /** In front of the arguments of the transport's method. */
  readonly typeArgument?: string
  readonly end?: string
  readonly isList?: true
  readonly rows?: string
}

const pageMembers = new Set(["timestamp", "request_id", "hint"])
const plainMeta = "hasMore,limit,nextCursor,offset,total"

const resultOf = (operation: Operation, noun: Noun, name: string, types: FileTypes): Result => {
  const { responses } = operation
  const whole = jsonOf(responses[200] ?? responses[201] ?? responses[202]!)!
  const { data, meta } = resolved(whole).properties!
  const inner = resolved(data!)
  const own = membersOf(resolved(meta!)).filter((member) => !pageMembers.has(member.name))
  const members = membersOf(inner)
  if (own.some((member) => member.name === "nextCursor")) {
    const rows = members.find(({ schema }) => schema.items !== undefined)
    const about = [...members.filter((one) => one !== rows && one.name !== "hasMore"), ...own]
    const item = types.typeOf((rows?.schema ?? inner).items!, "received")
    const isPlain =
      about
        .map((one) => one.name)
        .toSorted()
        .join() === plainMeta
    const metaName = noun.metas?.[name] ?? `${singular(noun)}${title(name)}Meta`
    const metaType = isPlain
      ? types.handWritten("ListMeta")
      : types.made(metaName, { types: [], base: "ResponseMeta" }, about, "received")
    return {
      type: `PagedList<${item}, ${metaType}>`,
      isList: true,
      ...(rows === undefined ? {} : { rows: rows.name }),
    }
  }
  if (members.map((one) => one.name).join() === "deleted")
    return { type: `ApiCall<${types.handWritten("Deleted")}>` }
  const only = members.find(({ schema }) => schema.$ref !== undefined || schema.items !== undefined)
  if (
    data!.$ref === undefined &&
    only !== undefined &&
    members.every((one) => one === only || one.name === "total")
  ) {
    const type = types.typeOf(only.schema, "received")
    return {
      type: `ApiCall<${type}>`,
      typeArgument: `<{ readonly ${only.name}: ${type} }>`,
      end: `.map(({ ${only.name} }) => ${only.name})`,
    }
  }
  const isUnnamed = data!.$ref === undefined && data!.properties !== undefined
  const { description: _, ...unnamed } = data!
  const { description } = resolved(whole)
  return {
    type: `ApiCall<${
      isUnnamed && !types.isNamed(data!)
        ? types.name(
            answerName(nameOf(whole)),
            { ...unnamed, ...(description !== undefined && { description }) },
            "received",
          )
        : types.typeOf(data!, "received")
    }>`,
  }
}

export const methodText = (operation: Operation, noun: Noun, types: FileTypes): string => {
  const { client, method, parameters = [], path } = operation
  const name = client.sdk.replace(/.*\./, "")
  const credentials = credentialsOf(operation)
  const ids = parameters.filter((one) => one.in === "path")
  const isCreation = parameters.some((one) => one.name === "idempotency-key")
  const chooses = parameters.some((one) => one.name === "fields")
  const input = inputOf(operation, noun, name, types)
  const result = resultOf(operation, noun, name, types)
  const idArguments = client.named
    ? [
        `{ ${ids.map((one) => argumentOf(one.name, operation)).join(", ")} }: ${idsType(operation, ids, types)}`,
      ]
    : ids.map(
        (one) =>
          `${argumentOf(one.name, operation)}: ${one.schema.type === "string" ? "string" : "number"}`,
      )
  const argumentsText = [
    ...idArguments,
    ...(input === undefined ? [] : [input.argument]),
    `options: ${isCreation ? "CreateOptions" : "RequestOptions"} = {}`,
  ].join(", ")
  const at =
    ids.length === 0
      ? `"${path}"`
      : `path\`${path.replaceAll(/\{(\w+)\}/g, (_, id: string) => idText(id, operation, ids))}\``
  const secrets = noun.secrets?.[name]
  const settings = [
    ...(result.rows === undefined ? [] : [`rows: "${result.rows}"`]),
    ...(result.isList && method === "POST" ? [`method: "POST"`] : []),
    ...(input === undefined || result.isList
      ? []
      : [
          input.isQuery
            ? `query: ${input.sent === "params" ? "{ ...params }" : input.sent}`
            : `body: ${input.sent}`,
        ]),
    ...(client.repeatable ? ["isRepeatable: true"] : []),
    `credentials: "${credentials}"`,
    ...(secrets === undefined
      ? []
      : [`secrets: [${secrets.map((one) => `params.${one}`).join(", ")}]`]),
    "options",
  ].join(", ")
  const call = result.isList
    ? `list(${at}, ${input === undefined ? "{}" : "params"}, { ${settings} })`
    : `${isCreation ? "create" : method.toLowerCase()}${result.typeArgument ?? ""}(${at}, { ${settings} })`
  const notes = noun.notes?.[name]
  const text = comment(
    `${operation.description}${notes === undefined ? "" : ` ${notes}`}${errorsText(operation, credentials)}`,
    "  ",
  )
  const overloads = chooses ? chosenOverloads(name, argumentsText, result.type, types) : ""
  return `${text}${overloads}  ${name}(${argumentsText}): ${result.type} {\n    return this.#transport.${call}${result.end ?? ""}\n  }\n`
}

const idText = (id: string, operation: Operation, ids: ReadonlyArray<Parameter>): string => {
  const isText = ids.find((one) => one.name === id)?.schema.type === "string"
  const name = argumentOf(id, operation)
  return isText ? `\${${name}}` : `\${String(${name})}`
}

/** The ids of a path as one object. */
const idsType = (operation: Operation, ids: ReadonlyArray<Parameter>, types: FileTypes): string =>
  types.made(
    "MemberId",
    { types: [] },
    ids.map((one) => ({
      name: argumentOf(one.name, operation),
      schema: { type: "string" },
      isRequired: true,
      description: textOf(one),
    })),
    "received",
  )

/** Of a list that can leave out fields of its rows. */
const chosenOverloads = (name: string, given: string, result: string, types: FileTypes): string => {
  const [, params = ""] = /params: (\w+)/.exec(given) ?? []
  const [, item = "", meta = ""] = /^PagedList<(\w+), (\w+)>$/.exec(result) ?? []
  types.handWritten("ChosenFields")
  return `  ${name}<Field extends keyof ${item}>(params: ${params} & ChosenFields<Field>, options?: RequestOptions): PagedList<Pick<${item}, Field>, ${meta}>
  ${name}(params?: ${params}, options?: RequestOptions): ${result}
`
}
