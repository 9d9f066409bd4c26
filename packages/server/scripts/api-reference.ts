// The API reference as a page, from the OpenAPI document the server publishes: every operation with its
// credentials, parameters, body, responses and an example, and every schema they name. Nothing is added by hand.
import { OpenApi } from "effect/http-api"
import { Api } from "../src/api.ts"
import { errorStatus } from "../src/http/errors.ts"

/** The parts of a JSON Schema that are shown. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema | false
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
}
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
interface Operation {
  readonly tags: ReadonlyArray<string>
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
}

interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
}

export const apiReference = (): string => {
  const document = OpenApi.fromApi(Api) as unknown as Document // read as the form it is published in
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Endpoint => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ tags }) => tags.includes(name)),
  }))
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => !isError(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return [
    heading(endpoints.length, schemas.length),
    "## Error codes\n",
    table(
      ["Code", "Status"],
      Object.entries(errorStatus).map(([code, status]) => [`\`${code}\``, String(status)]),
    ),
    ...groups.flatMap(({ description, endpoints, name }) => [
      `## ${name}\n\n${description}\n`,
      ...endpoints.map(operationText),
    ]),
    "## Schemas\n",
    ...schemas.map(([name, schema]) => schemaText(name, schema)),
  ].join("\n")
}

const heading = (endpoints: number, schemas: number): string => `# API reference

Generated from the server's OpenAPI document (\`/openapi.json\`) by \`npm run reference\`; do not edit. ${endpoints}
operations, ${schemas} schemas. Send an API key as \`X-API-Key: sk_…\`, an access token as \`Authorization: Bearer …\`. An
error has the body \`{"error": {"code", "message", "details"}, "meta": {"timestamp", "request_id"}}\`.
`

const operationText = (endpoint: Endpoint): string => {
  const { method, operationId, parameters = [], path, requestBody, responses } = endpoint
  const errors = Object.keys(responses).filter((status) => Number(status) >= 400)
  const answers = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { content }]) => `${status} ${contentText(content)}`.trimEnd())
  return [
    `### ${method} ${path}\n`,
    `**${endpoint.summary}** (\`${operationId}\`). ${endpoint.description}\n`,
    `- Credentials: ${credentials(endpoint)}`,
    ...(requestBody === undefined ? [] : [`- Body: ${contentText(requestBody.content)}`]),
    `- Responses: ${answers.join("; ")}`,
    `- Errors: ${errors.join(", ")}\n`,
    ...(parameters.length === 0
      ? []
      : [
          table(
            ["Parameter", "In", "Type", "Required", "Meaning"],
            parameters.map(({ description = "", in: place, name, required, schema }) => [
              `\`${name}\``,
              place,
              typeText(schema),
              required ? "yes" : "",
              description,
            ]),
          ),
        ]),
    ...exampleText("Request", requestBody?.content),
    ...exampleText("Response", responses[firstStatus(responses)]?.content),
  ].join("\n")
}

const firstStatus = (responses: Operation["responses"]): string => Object.keys(responses)[0] ?? ""

/** The example of the first media type; a body without fields needs none. */
const exampleText = (title: string, content: Content = {}): ReadonlyArray<string> => {
  const [type, { example } = {}] = Object.entries(content)[0] ?? []
  const isEmpty = example === undefined || JSON.stringify(example) === "{}"
  if (isEmpty || type === undefined) return []
  const language = type === "application/json" ? "json" : "text"
  const body = typeof example === "string" ? example.trimEnd() : JSON.stringify(example, null, 2)
  return [
    `<details><summary>${title}</summary>\n\n\`\`\`${language}\n${body}\n\`\`\`\n\n</details>\n`,
  ]
}

const credentialNames: Readonly<Record<string, string>> = {
  apiKey: "API key",
  bearer: "access token",
}

const credentials = ({ security = [] }: Operation): string => {
  const names = security.flatMap((scheme) => {
    const members = Object.keys(scheme)
    // An empty scheme among others: the request may go without.
    return members.length === 0 ? ["none"] : members
  })
  return names.map((name) => credentialNames[name] ?? name).join(" or ") || "none"
}

const contentText = (content: Content = {}): string =>
  Object.entries(content)
    .map(([type, { schema }]) =>
      type === "application/json" ? typeText(schema) : `\`${type}\`, ${typeText(schema)}`,
    )
    .join(" or ")

const schemaText = (name: string, schema: Schema): string =>
  schema.properties === undefined
    ? `### ${name}\n\n${typeText(schema)}\n`
    : `### ${name}\n\n${fieldsTable(schema)}`

/** With a column for descriptions where a field has one. */
const fieldsTable = (schema: Schema): string => {
  const fields = fieldsOf(schema, "")
  const isSaid = fields.some(([, , , meaning]) => meaning !== "")
  return isSaid
    ? table(["Field", "Type", "Required", "Meaning"], fields)
    : table(
        ["Field", "Type", "Required"],
        fields.map((cells) => cells.slice(0, 3)),
      )
}

/** One line for each field; nested fields have the names of their objects in front. */
const fieldsOf = (schema: Schema, before: string): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${before}${name}`
    const isRequired = schema.required?.includes(name) ? "yes" : ""
    return [
      [`\`${path}\``, typeText(field), isRequired, field.description ?? ""],
      ...fieldsOf(objectIn(field), `${path}.`),
    ]
  })

const objectIn = (schema: Schema): Schema =>
  schema.properties === undefined
    ? (schema.anyOf?.find(({ properties }) => properties !== undefined) ?? {})
    : schema

const typeText = (schema: Schema): string => {
  const { $ref, anyOf, const: constant, oneOf, type } = schema
  const alternatives = anyOf ?? oneOf
  if ($ref !== undefined) return link($ref)
  if (schema.enum !== undefined) return schema.enum.map(literal).join(", ")
  if (constant !== undefined) return literal(constant)
  if (alternatives !== undefined) {
    return [...new Set(alternatives.map(typeText))].join(" or ")
  }
  if (Array.isArray(type)) return type.join(" or ")
  if (type === "array") return `list of ${listedText(schema)}${between("items", schema)}`
  if (type === "object") return objectText(schema)
  if (type === undefined) return "anything"
  return `${schema.format ?? type}${between("", schema)}`
}

const listedText = ({ items, prefixItems = [] }: Schema): string => {
  const listed = items === undefined || items === false ? prefixItems : [items]
  return [...new Set(listed.map(typeText))].join(" or ") || "anything"
}

const objectText = ({ additionalProperties }: Schema): string =>
  typeof additionalProperties === "object"
    ? `object, each value ${typeText(additionalProperties)}`
    : "object"

const literal = (value: unknown): string =>
  value === null ? "null" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``

/** Bounds in words, such as `(1 to 10)`. */
const between = (unit: string, schema: Schema): string => {
  const low = schema.minimum ?? schema.minLength ?? schema.minItems
  const high = schema.maximum ?? schema.maxLength ?? schema.maxItems
  const isLength = schema.minLength !== undefined || schema.maxLength !== undefined
  const what = isLength ? " characters" : unit === "" ? "" : ` ${unit}`
  if (low === undefined && high === undefined) return ""
  if (low === undefined) return ` (at most ${high}${what})`
  return high === undefined ? ` (at least ${low}${what})` : ` (${low} to ${high}${what})`
}

/** All wire errors have one shape, which the heading describes. */
const isError = (name: string): boolean => name.endsWith("Encoded")

const link = (reference: string): string => {
  const name = reference.slice(reference.lastIndexOf("/") + 1)
  return isError(name) ? "error" : `[${name}](#${name.toLowerCase()})`
}

const table = (
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  return [line(names), line(names.map(() => "---")), ...rows.map(line), ""].join("\n")
}
