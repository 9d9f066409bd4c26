// OpenTelemetry spans, if the application has set it up. Each call, with all its attempts, is one span. The server receives
// it as `traceparent`. Without a registered tracer nothing happens.

import type {
  Context,
  ContextManager,
  Span,
  TextMapPropagator,
  TracerProvider,
} from "@opentelemetry/api"
import { ApiError } from "../errors/api-error.ts"
import { codeOf } from "../errors/footfall-error.ts"
import { version } from "../version.ts"
import type { ApiRequest } from "./api-request.ts"
import { routeOf } from "./pacing.ts"
import { openTelemetry } from "./platform.ts"

/** The parts of OpenTelemetry's registry that the SDK uses. Each is registered separately. */
interface Registry {
  readonly trace?: TracerProvider
  readonly context?: ContextManager
  readonly propagation?: TextMapPropagator<Record<string, string>>
}

/** Enum values and the key of the API, copied because the SDK doesn't import it. */
const spanKindClient = 2
const statusError = 2
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

/** Runs the call inside a span. `serverAddress`: the host name only. The call receives the trace headers to send. */
export async function traced<A>(
  request: Pick<ApiRequest, "method" | "path" | "route">,
  serverAddress: string,
  call: (headers: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> {
  const registry = openTelemetry() as Registry | undefined
  if (registry?.trace === undefined) return call({})
  const route = routeOf(request)
  const span = registry.trace.getTracer("@footfall/sdk", version).startSpan(route, {
    kind: spanKindClient,
    attributes: {
      "http.request.method": request.method,
      "url.template": route.slice(request.method.length + 1),
      "server.address": serverAddress,
    },
  })
  try {
    return await call(headersOf(registry, span))
  } catch (error) {
    if (error instanceof ApiError) span.setAttribute("http.response.status_code", error.status)
    span.setAttribute("error.type", codeOf(error))
    span.setStatus({ code: statusError })
    throw error
  } finally {
    span.end()
  }
}

const headersOf = ({ context, propagation }: Registry, span: Span): Record<string, string> => {
  const headers: Record<string, string> = {}
  const active = context?.active() ?? contextOf(new Map())
  propagation?.inject(active.setValue(spanKey, span), headers, {
    set: (carrier, name, value) => {
      carrier[name] = value // own keys: OpenTelemetry's propagators name the headers.
    },
  })
  return headers
}

/** The API's root context, for applications without a context manager. */
const contextOf = (values: ReadonlyMap<symbol, unknown>): Context => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  deleteValue: (key) => contextOf(new Map([...values].filter(([each]) => each !== key))),
})
