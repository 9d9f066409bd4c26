// Serves the OpenAPI documents, without the envelope (spec 1.3, 5.15): the whole API, and each of its two parts with
// only the schemas it uses.
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { OpenApi } from "effect/http-api"

const parts = [
  { path: "/openapi.json", prefix: "/" },
  { path: "/openapi-data.json", prefix: "/v1/data" },
  { path: "/openapi-intent.json", prefix: "/v1/intent" },
] as const

export const documentRoutes = parts.map(({ path }) => ({ method: "GET", path }))

/** `baseUrl`: the server URL in the documents, used by generated clients. */
export const DocumentRoutes = (document: OpenApi.OpenAPISpec, baseUrl: string) => {
  const whole = { ...document, servers: [{ url: baseUrl }] }
  return HttpRouter.use((router) =>
    Effect.forEach(
      parts,
      ({ path, prefix }) => {
        const response = HttpServerResponse.jsonUnsafe(partOf(whole, prefix))
        return router.add("GET", path, Effect.succeed(response))
      },
      { discard: true },
    ),
  )
}

const partOf = (whole: OpenApi.OpenAPISpec, prefix: string): OpenApi.OpenAPISpec => {
  const paths = Object.fromEntries(
    Object.entries(whole.paths).filter(([path]) => path.startsWith(prefix)),
  )
  const groups = new Set(
    Object.values(paths).flatMap(({ delete: remove, get, patch, post, put }) =>
      [get, post, put, patch, remove].flatMap((operation) => operation?.tags ?? []),
    ),
  )
  return {
    ...whole,
    paths,
    components: { ...whole.components, schemas: schemasOf(paths, whole.components.schemas) },
    tags: whole.tags.filter(({ name }) => groups.has(name)),
  }
}

type Schemas = OpenApi.OpenAPISpec["components"]["schemas"]

/** The schemas that a part uses, directly or through others. */
const schemasOf = (paths: unknown, all: Schemas): Schemas => {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || found.has(name)) continue
      found.add(name)
      look(Object.hasOwn(all, name) ? all[name] : undefined)
    }
  }
  look(paths)
  return Object.fromEntries(Object.entries(all).filter(([name]) => found.has(name)))
}
