// The texts of the contract with a length limit: where they are in a schema, and how long they may be. They come from
// the schemas themselves, so that a new field is tested automatically.
import type { Schema, SchemaAST } from "effect"
import { Api } from "../../src/app/api.ts"

export interface BoundedText {
  /** The keys that lead to it; `0` for the items of a list. */
  readonly path: ReadonlyArray<string>
  /** Units: code points. */
  readonly lengthMax: number
}

interface Check {
  readonly annotations?: {
    readonly representation?: {
      readonly id: string
      readonly payload: Readonly<Record<string, number>> | null
    }
  }
  readonly checks?: ReadonlyArray<Check>
}

interface Node {
  readonly _tag: string
  readonly checks?: ReadonlyArray<Check>
  readonly encoding?: ReadonlyArray<{ readonly to: Node }>
  readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey; readonly type: Node }>
  readonly elements?: ReadonlyArray<Node>
  readonly rest?: ReadonlyArray<Node>
  readonly types?: ReadonlyArray<Node>
  readonly thunk?: () => Node
}

const checksOf = ({ checks = [] }: Check | Node): ReadonlyArray<Check> =>
  checks.flatMap((check) => (check.checks === undefined ? [check] : checksOf(check)))

/** Every text of a schema with the ids of its checks. */
const textsOf = (
  node: Node,
  path: ReadonlyArray<string> = [],
  above: ReadonlySet<Node> = new Set(),
): ReadonlyArray<{
  readonly path: ReadonlyArray<string>
  readonly checks: ReadonlyArray<Check>
}> => {
  if (above.has(node)) return []
  const inside = (inner: Node, ...keys: ReadonlyArray<string>) =>
    textsOf(inner, [...path, ...keys], new Set([...above, node]))
  return [
    ...(node._tag === "String" ? [{ path, checks: checksOf(node) }] : []),
    ...(node.propertySignatures ?? []).flatMap(({ name, type }) => inside(type, String(name))),
    ...[...(node.elements ?? []), ...(node.rest ?? [])].flatMap((item) => inside(item, "0")),
    ...(node.types ?? []).flatMap((member) => inside(member)),
    ...(node.encoding ?? []).flatMap(({ to }) => inside(to)),
    ...(node.thunk === undefined ? [] : inside(node.thunk())),
  ]
}

const read = (schema: Schema.Constraint | SchemaAST.AST): Node =>
  ("ast" in schema ? schema.ast : schema) as unknown as Node

export interface ContractSchema {
  /** `POST /v1/data/segments`. */
  readonly operation: string
  readonly part: "body" | "query" | "path" | "headers" | "answer"
  readonly schema: Schema.Constraint
}

/** Every schema of a request or a response. */
export const contractSchemas = (): ReadonlyArray<ContractSchema> =>
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).flatMap((endpoint) => {
      const operation = `${endpoint.method} ${endpoint.path}`
      const of = (part: ContractSchema["part"], schemas: Iterable<Schema.Constraint | undefined>) =>
        [...schemas].flatMap((schema) =>
          schema === undefined ? [] : [{ operation, part, schema }],
        )
      return [
        ...of(
          "body",
          [...endpoint.payload.values()].flatMap(({ schemas }) => schemas),
        ),
        ...of("query", [endpoint.query]),
        ...of("path", [endpoint.params]),
        ...of("headers", [endpoint.headers]),
        ...of("answer", endpoint.success),
      ]
    }),
  )

export const boundedTexts = ({ schema }: ContractSchema): ReadonlyArray<BoundedText> =>
  textsOf(read(schema)).flatMap(({ checks, path }) =>
    checks.flatMap(({ annotations }) => {
      const lengthMax = annotations?.representation?.payload?.["maxCodePoints"]
      return lengthMax === undefined ? [] : [{ path, lengthMax }]
    }),
  )

/** Texts whose length is not counted in code points. */
export const textsInUnits = ({ schema }: ContractSchema): ReadonlyArray<string> =>
  textsOf(read(schema)).flatMap(({ checks, path }) =>
    checks.some(({ annotations }) =>
      /is(Max|Min|Between)Length$/.test(annotations?.representation?.id ?? ""),
    )
      ? [`/${path.join("/")}`]
      : [],
  )
