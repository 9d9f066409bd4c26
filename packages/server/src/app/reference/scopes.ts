// Which scope of an API key each operation of the OpenAPI document needs (spec 7.1.7).
import type { OpenApi } from "effect/http-api"
import { scopeOf } from "../../access/key-rights.ts"
import { Api } from "../api.ts"

/** The scope of each operation that a key may call. */
const scopesById = () =>
  new Map(
    Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).map(
        (endpoint) =>
          [
            `${group.identifier}.${endpoint.identifier}` as string,
            scopeOf(endpoint, group),
          ] as const,
      ),
    ),
  )

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApi.OpenAPISpecOperation>>>>
}

/** Adds `x-scope` to every operation that accepts an API key: null where any valid key may call it. */
export const withScopes = (described: Record<string, unknown>): Record<string, unknown> => {
  const scopes = scopesById()
  const { paths } = described as unknown as Document // the library passes it untyped
  const scoped = (operation: OpenApi.OpenAPISpecOperation) =>
    operation.security.some((scheme) => Object.hasOwn(scheme, "apiKey"))
      ? { ...operation, "x-scope": scopes.get(operation.operationId) ?? null }
      : operation
  return {
    ...described,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        Object.fromEntries(
          Object.entries(operations).map(([method, operation]) => [method, scoped(operation)]),
        ),
      ]),
    ),
  }
}
