// Compares every error response of a test's server with the reference: an operation returns no code that its part of
// /docs does not name (spec 9). The test file fails when it closes its server.
import { OpenApi } from "effect/http-api"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Api } from "../../src/app/api.ts"
import { matchesPath } from "../../src/platform/http/allowed-methods.ts"
import { errorCodesOf } from "../../src/app/reference/error-codes.ts"
import { withScopes } from "../../src/app/reference/scopes.ts"

interface Documented {
  readonly method: string
  readonly pattern: ReadonlyArray<string>
  readonly operationId: string
  readonly codes: ReadonlySet<string>
}

let known: ReadonlyArray<Documented> | undefined

type Paths = Readonly<Record<string, Readonly<Record<string, Parameters<typeof errorCodesOf>[0]>>>>

const documented = (): ReadonlyArray<Documented> => {
  if (known !== undefined) return known
  const document = OpenApi.fromApi(Api) as unknown as Record<string, unknown> // its published form
  const paths = withScopes(document)["paths"] as Paths
  return (known = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: path.replaceAll(/\{([^}]+)\}/g, ":$1").split("/"),
      operationId: operation.operationId,
      codes: new Set<string>(errorCodesOf(operation)),
    })),
  ))
}

/** Literal paths take precedence over parameters, as in the router. */
const operationOf = (method: string, path: string): Documented | undefined => {
  const segments = path.split("/")
  const fitting = documented().filter(
    (operation) => operation.method === method && matchesPath(operation.pattern, segments),
  )
  const parametersOf = ({ pattern }: Documented) => pattern.filter((part) => part.startsWith(":"))
  return fitting.toSorted((a, b) => parametersOf(a).length - parametersOf(b).length)[0]
}

/** Errors that belong to no operation: failures of the server, and of requests that reach no operation. */
const anywhere: ReadonlySet<string> = new Set([
  "INTERNAL_ERROR",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE",
])

const codeIn = (body: string): unknown => {
  try {
    return (JSON.parse(body) as { readonly error?: { readonly code?: unknown } } | null)?.error
      ?.code
  } catch {
    return undefined
  }
}

export const makeErrorWatch = () => {
  const undocumented = new Set<string>()
  return {
    /** Records the response's code when it ends. */
    watch: (request: IncomingMessage, response: ServerResponse): void => {
      const { end } = response
      response.end = function (this: ServerResponse, ...args: ReadonlyArray<unknown>) {
        const [body] = args
        if (
          response.statusCode >= 400 &&
          (typeof body === "string" || body instanceof Uint8Array)
        ) {
          const code = codeIn(Buffer.from(body).toString())
          const [path = ""] = (request.url ?? "").split("?")
          const operation = operationOf(request.method ?? "", path)
          if (
            typeof code === "string" &&
            operation !== undefined &&
            !anywhere.has(code) &&
            !operation.codes.has(code)
          )
            undocumented.add(`${operation.operationId}: ${code}`)
        }
        return Reflect.apply(end, this, args)
      }
    },
    /** Throws if a response had a code that its operation does not document. */
    check: (): void => {
      if (undocumented.size > 0)
        throw new Error(
          `Not in reference/error-codes.ts: ${[...undocumented].toSorted().join(", ")}`,
        )
    },
  }
}
