// What the tools for agents know of the API: of each operation that one calls what it takes and answers, from the
// OpenAPI document the server publishes.
import {
  type JsonSchema,
  namedBy,
  type Operation,
  type Operations,
} from "../../agent-tools/src/operation.ts"
import { doctorOperations, toolList } from "../../agent-tools/src/tool-list.ts"
import { openApiDocument } from "../src/app/reference/openapi.ts"

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Operations["schemas"] }
}

export const agentOperations = (): string => {
  const text = JSON.stringify(openApiDocument()).replaceAll("#/components/schemas/", "#/$defs/")
  const { components, paths } = JSON.parse(text) as Document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )
  const called = new Set<string>([
    ...toolList.map(({ operation }) => operation),
    ...doctorOperations,
  ])
  const operations = Object.fromEntries(
    [...called].sort().map((id) => {
      const found = all.find(({ described }) => described.operationId === id)
      if (found === undefined)
        throw new Error(`A tool for agents calls ${id}, which is no operation.`)
      return [id, operationOf(found)] as const
    }),
  )
  const schemas = namedBy(operations, new Map(Object.entries(components.schemas)))
  return `${JSON.stringify({ operations, schemas } satisfies Operations, null, 2)}\n`
}

const operationOf = ({
  described,
  method,
  path,
}: {
  readonly path: string
  readonly method: string
  readonly described: Described
}): Operation => ({
  method: method.toUpperCase() as Operation["method"],
  path,
  summary: described.summary,
  description: described.description,
  needsKey: described.security?.every((scheme) => Object.hasOwn(scheme, "apiKey")) === true,
  parameters: (described.parameters ?? [])
    .filter(({ in: place }) => place === "path" || place === "query")
    .map(({ description, in: place, name, required = false, schema }) => ({
      name,
      in: place,
      required,
      schema: { ...schema, ...(description === undefined ? {} : { description }) },
    })),
  body: schemaOf(described.requestBody?.content) ?? null,
  answers: Object.entries(described.responses)
    .filter(([status]) => status < "300")
    .flatMap(([, { content }]) => schemaOf(content) ?? []),
})

const schemaOf = (content: Content | undefined): JsonSchema | undefined =>
  content?.["application/json"]?.schema
