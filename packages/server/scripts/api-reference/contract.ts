// What the reference says about the API, read off the OpenAPI document that the server publishes and the annotations of
// its endpoints. Both forms of the reference, the Markdown and the page, are made of this and of nothing else.
import { Context } from "effect"
import { IntentRequired, RoleRequired, WritesNeedMember } from "../../src/access/authentication.ts"
import { Role, isAtLeast } from "../../src/access/role.ts"
import { Api } from "../../src/app/api.ts"
import { errorStatus } from "../../src/platform/http/errors.ts"
import { openApiDocument } from "../../src/app/reference/openapi.ts"

/** The parts of a JSON Schema that are shown. */
export interface Schema {
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
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>
export interface Operation {
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
  readonly info: { readonly description: string }
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
}

export interface Endpoint extends Operation {
  readonly method: string
  /** With the names of parameters in braces. */
  readonly path: string
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly endpoints: ReadonlyArray<Endpoint>
}

const document = openApiDocument() as unknown as Document // read as the form it is published in

/** Markdown: a sentence, and a list. */
export const introduction = document.info.description

export const endpoints: ReadonlyArray<Endpoint> = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
)

/** In the order of the document. */
export const groups: ReadonlyArray<Group> = document.tags.map(({ name, description }) => ({
  name,
  description,
  endpoints: endpoints.filter(({ tags }) => tags.includes(name)),
}))

/** All wire errors have one shape, which the introduction describes. */
export const isError = (name: string): boolean => name.endsWith("Encoded")

/** By name, without those of errors. */
export const schemas: ReadonlyArray<readonly [string, Schema]> = Object.entries(
  document.components.schemas,
)
  .filter(([name]) => !isError(name))
  .sort(([one], [other]) => (one < other ? -1 : 1))

/** Every code and its status. */
export const errorCodes: ReadonlyArray<readonly [string, number]> = Object.entries(errorStatus)

interface Annotated {
  readonly endpoint: { readonly method: string; readonly annotations: Context.Context<never> }
  readonly group: { readonly annotations: Context.Context<never> }
}

const annotated: ReadonlyMap<string, Annotated> = new Map(
  Object.entries(Api.groups).flatMap(([name, group]) =>
    Object.values(group.endpoints).map(
      (endpoint) => [`${name}.${endpoint.identifier}`, { endpoint, group }] as const,
    ),
  ),
)

/** Whether credentials of a kind are taken. */
export const takes = ({ security = [] }: Operation, kind: "apiKey" | "bearer"): boolean =>
  security.some((scheme) => Object.hasOwn(scheme, kind))

/** Who may call an operation: the end of a sentence, and what else it needs. */
export const callersOf = (operation: Operation): string => {
  const { endpoint, group } = annotated.get(operation.operationId)!
  const role =
    Context.getOrUndefined(endpoint.annotations, RoleRequired) ??
    Context.getOrUndefined(group.annotations, RoleRequired) ??
    (endpoint.method !== "GET" && Context.getOrUndefined(group.annotations, WritesNeedMember)
      ? "member"
      : undefined)
  const isIntent = Context.getOrUndefined(group.annotations, IntentRequired) === true
  const isPublic = (operation.security ?? []).some((scheme) => Object.keys(scheme).length === 0)
  const kinds = [
    ...(takes(operation, "apiKey") ? ["an API key"] : []),
    ...(takes(operation, "bearer") ? [`the access token of ${memberOf(role)}`] : []),
  ].join(" or ")
  if (kinds === "") return "anyone, without credentials."
  if (isPublic) return `anyone, without credentials, or with ${kinds}.`
  return `whoever has ${kinds}.${isIntent ? " The organization needs intent access." : ""}`
}

const memberOf = (required: Role = "viewer"): string => {
  const able = Role.literals.filter((role) => isAtLeast(role, required))
  if (able.length === Role.literals.length) return "a member"
  if (able.length === 1) return `an ${able[0]}`
  return `a member with the role ${able.slice(0, -1).join(", ")} or ${able.at(-1)}`
}

/** Where a schema or a link leads. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)
