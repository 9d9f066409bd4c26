// Generates the OpenAPI documents from the contract: the library's document, with the texts and examples of this
// folder. The build writes them to files (scripts/write-reference-assets.ts), which a running server reads.
import { OpenApi } from "effect/http-api"
import { Api } from "../api.ts"
import { documents } from "../../platform/http/documents.ts"
import { bodyErrorsWithBodies } from "../../platform/http/json-body.ts"
import { flatDescriptions, numberParameters } from "../../platform/http/openapi.ts"
import { describeParameters } from "../../platform/http/parameter-descriptions.ts"
import { describeFields } from "./describe-fields.ts"
import { describeOperations } from "./document.ts"
import { withScopes } from "./scopes.ts"

/** The document of the whole API. It contains no server URL: the server that publishes it adds its own. */
export const openApiDocument = (): OpenApi.OpenAPISpec => {
  const withNumbers = numberParameters(Api.groups)
  const { servers: _, ...document } = OpenApi.fromApi(
    Api.annotate(OpenApi.Transform, (document) =>
      describeOperations(
        withScopes(
          describeFields(
            describeParameters(withNumbers(bodyErrorsWithBodies(flatDescriptions(document)))),
          ),
        ),
      ),
    ),
  )
  return document
}

/** The document of the whole API and of each of its two parts, with the file it is published from. */
export const openApiDocuments = () => {
  const whole = openApiDocument()
  return documents.map(({ file, prefix }) => ({ file, prefix, document: partOf(whole, prefix) }))
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
