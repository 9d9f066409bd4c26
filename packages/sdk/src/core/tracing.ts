// OpenTelemetry spans, if the application has installed `@opentelemetry/api`. Each call, with all its attempts, is one
// span. The server receives it as `traceparent`. Without the package nothing happens, and without a collector the API
// does nothing either.

import type { Context, Span, TextMapSetter, TracerProvider } from "@opentelemetry/api"
import { ApiError } from "../errors/api-error.ts"
import { codeOf } from "../errors/footfall-error.ts"
import { version } from "../version.ts"
import type { ApiRequest } from "./api-request.ts"
import { routeOf } from "./pacing.ts"
import { loadOpenTelemetry } from "./platform.ts"

/** The part of `@opentelemetry/api` that the SDK uses. */
interface Api {
  readonly trace: TracerProvider & { setSpan(context: Context, span: Span): Context }
  readonly context: { active(): Context }
  readonly propagation: {
    inject(context: Context, carrier: Record<string, string>, setter?: TextMapSetter): void
  }
}

/** Enum values of the API, copied because the package is loaded only later. */
const spanKindClient = 2
const statusError = 2

/** Undefined until `load` has run; null if the package is not installed. */
let api: Api | null | undefined

/** Loads the package once. */
let loading: Promise<Api | null> | undefined
const load = async (): Promise<void> => {
  api = await (loading ??= loadOpenTelemetry().catch(() => null))
}

/** Runs the call inside a span. `serverAddress`: the host name only. The call receives the trace headers to send. */
export function traced<A>(
  request: Pick<ApiRequest, "method" | "path" | "route">,
  serverAddress: string,
  call: (headers: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> {
  if (api === undefined) return load().then(() => traced(request, serverAddress, call))
  return api === null ? call({}) : inSpan(api, request, serverAddress, call)
}

async function inSpan<A>(
  api: Api,
  request: Pick<ApiRequest, "method" | "path" | "route">,
  serverAddress: string,
  call: (headers: Readonly<Record<string, string>>) => Promise<A>,
): Promise<A> {
  const route = routeOf(request)
  const span = api.trace.getTracer("@footfall/sdk", version).startSpan(route, {
    kind: spanKindClient,
    attributes: {
      "http.request.method": request.method,
      "url.template": route.slice(request.method.length + 1),
      "server.address": serverAddress,
    },
  })
  const headers: Record<string, string> = {}
  api.propagation.inject(api.trace.setSpan(api.context.active(), span), headers)
  try {
    return await call(headers)
  } catch (error) {
    if (error instanceof ApiError) span.setAttribute("http.response.status_code", error.status)
    span.setAttribute("error.type", codeOf(error))
    span.setStatus({ code: statusError })
    throw error
  } finally {
    span.end()
  }
}
