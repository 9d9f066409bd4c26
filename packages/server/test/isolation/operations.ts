// Every operation of the server and every parameter that identifies an object, read from the contract itself, so that a
// new endpoint is included automatically.
import { openApiDocument } from "../../src/app/reference/openapi.ts"

export interface Operation {
  /** `group.endpoint`. */
  readonly name: string
  readonly method: string
  /** With `{parameter}` for path parameters. */
  readonly path: string
  /** Accepted credentials. Empty: it is public. */
  readonly credentials: ReadonlyArray<"apiKey" | "bearer">
  /** Names of its query parameters. */
  readonly query: ReadonlyArray<string>
  /** Parameters that name an object: `path:id`, `query:cursor`, `body:segmentId`. */
  readonly objectParameters: ReadonlyArray<string>
}

/** The parts of an OpenAPI document that the tests read. */
interface Node {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: ReadonlyArray<Node>
}
interface Described {
  readonly operationId: string
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly parameters?: ReadonlyArray<{
    readonly in: string
    readonly name: string
    readonly schema: Node
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Node }>> }
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Node>> }
}

/** Other names of parameters that identify objects, besides those that end in id: keys, cursors, lists and members. */
const otherNames = new Set(["cursor", "domain", "email", "list", "recipients"])
const isObjectName = (name: string) => /(^i|I)ds?$/.test(name) || otherNames.has(name)

export const operations = (): ReadonlyArray<Operation> => {
  const document = openApiDocument() as unknown as Document // read in its published form
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: described.operationId,
      method: method.toUpperCase(),
      path,
      credentials: credentialsOf(described),
      query: (described.parameters ?? []).flatMap((one) => (one.in === "query" ? [one.name] : [])),
      objectParameters: objectParametersOf(described, document),
    })),
  )
}

const credentialsOf = ({ security = [] }: Described) => {
  const names = new Set(security.flatMap((scheme) => Object.keys(scheme)))
  return (["apiKey", "bearer"] as const).filter((name) => names.has(name))
}

/** Every path parameter identifies an object, unless its values are listed. */
const objectParametersOf = (described: Described, document: Document): ReadonlyArray<string> => {
  const inAddress = (described.parameters ?? [])
    .filter((one) => (one.in === "path" ? one.schema.enum === undefined : isObjectName(one.name)))
    .map((one) => `${one.in}:${one.name}`)
  const body = described.requestBody?.content["application/json"]?.schema
  const inBody = body === undefined ? [] : [...objectNamesIn(body, document, new Set())]
  return [...inAddress, ...inBody.map((name) => `body:${name}`)]
}

function* objectNamesIn(node: Node, document: Document, seen: Set<string>): Iterable<string> {
  if (node.$ref !== undefined) {
    const name = node.$ref.slice(node.$ref.lastIndexOf("/") + 1)
    const found = document.components.schemas[name]
    if (seen.has(name) || found === undefined) return
    yield* objectNamesIn(found, document, seen.add(name))
  }
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const isText = JSON.stringify(member).includes('"string"') || member.type === "array"
    if (isObjectName(name) && isText) yield name
    else yield* objectNamesIn(member, document, seen)
  }
  for (const inner of [...(node.items ? [node.items] : []), ...(node.anyOf ?? [])]) {
    yield* objectNamesIn(inner, document, seen)
  }
}
