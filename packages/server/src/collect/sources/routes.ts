// The routes of the tracking contract (spec 15.2), outside the typed API, because its clients send any content type.
// Names and responses follow the contract; errors use our envelope.
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refused, TrustedProxies } from "../../platform/http/answer.ts"
import { clientAddress, isWithin } from "../../platform/http/client-address.ts"
import { PeerAddress } from "../../platform/http/request-context.ts"
import { PixelBaseUrl } from "../pixels/embed.ts"
import { WriteKeys } from "../pixels/write-keys/write-keys.ts"
import { GeoCountryHeader } from "../visits/collect-config.ts"
import {
  makeTracking,
  tooLarge,
  type TrackingRefused,
  type TrackingRequest,
  wireBytesMax,
} from "./request.ts"

const calls: Readonly<Record<string, TrackingRequest["call"]>> = {
  "/v1/batch": "batch",
  "/v1/b": "batch",
  "/v1/import": "import",
  "/v1/track": "track",
  "/v1/t": "track",
  "/v1/identify": "identify",
  "/v1/i": "identify",
  "/v1/page": "page",
  "/v1/p": "page",
  "/v1/screen": "screen",
  "/v1/s": "screen",
  "/v1/group": "group",
  "/v1/g": "group",
  "/v1/alias": "alias",
  "/v1/a": "alias",
}
/** Metrics that the browser client sends about itself. */
const metrics = "/v1/m"
const settings = "/v1/projects/:writeKey/settings"

const paths = [...Object.keys(calls), metrics] as ReadonlyArray<`/${string}`>

export const sourceRoutes = [
  ...paths.flatMap((path) => [
    { method: "POST", path },
    { method: "OPTIONS", path },
  ]),
  { method: "GET", path: settings },
]

const cors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after",
  "cross-origin-resource-policy": "cross-origin",
} as const

const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    ...cors,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization, content-encoding, content-type",
    "access-control-max-age": "86400",
  },
})

export const SourceRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const track = yield* makeTracking
    const keys = yield* WriteKeys
    const baseUrl = yield* PixelBaseUrl
    const trustedProxies = yield* TrustedProxies
    const countryHeader = yield* GeoCountryHeader

    const answer = (call: TrackingRequest["call"]) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { headers } = request
        const body = yield* readBody(request)
        const peer = (yield* PeerAddress) ?? Option.getOrUndefined(request.remoteAddress)
        const isProxied = peer !== undefined && isWithin(peer, trustedProxies)
        const { kind, rejected } = yield* track({
          call,
          headers,
          body,
          isProxied,
          countryHeader,
          clientAddress: isProxied
            ? clientAddress({ peer, forwardedFor: headers["x-forwarded-for"], trustedProxies })
            : peer,
        })
        return HttpServerResponse.jsonUnsafe(
          { success: true, rejected },
          { headers: corsFor(kind) },
        )
      }).pipe(Effect.catchTag("TrackingRefused", refusal))

    for (const path of paths) yield* router.add("OPTIONS", path, preflight)
    for (const [path, call] of Object.entries(calls)) {
      yield* router.add("POST", path as `/${string}`, answer(call))
    }
    yield* router.add(
      "POST",
      metrics,
      HttpServerResponse.jsonUnsafe({ success: true }, { headers: cors }),
    )
    yield* router.add(
      "GET",
      settings,
      Effect.gen(function* () {
        const { writeKey = "" } = yield* HttpRouter.params
        const holder = yield* Effect.option(keys.authenticate(writeKey))
        if (Option.isNone(holder) || holder.value.kind !== "browser") {
          return yield* refused(
            { code: "NOT_FOUND", message: "No active browser write key found with this value." },
            cors,
          )
        }
        return HttpServerResponse.jsonUnsafe(clientSettings(writeKey, baseUrl), {
          headers: { ...cors, "cache-control": "public, max-age=300" },
        })
      }),
    )
  }),
)

/** A browser may read a response unless the request had a `server` key. */ // spec 15.2.1
const corsFor = (kind: TrackingRefused["kind"]) => (kind === "server" ? {} : cors)

const refusal = ({ kind, refusal, retryAfter }: TrackingRefused) =>
  refused(refusal, {
    ...corsFor(kind),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  })

const readBody = (request: HttpServerRequest.HttpServerRequest) =>
  Number(request.headers["content-length"]) > wireBytesMax
    ? tooLarge(wireBytesMax)
    : request.arrayBuffer.pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(wireBytesMax)),
        Effect.map((buffer) => new Uint8Array(buffer)),
        Effect.catchReason("HttpServerError", "RequestParseError", (reason) =>
          reason.reason === "BodyTooLarge"
            ? tooLarge(wireBytesMax)
            : Effect.succeed(new Uint8Array()),
        ),
        Effect.filterOrFail(
          ({ length }) => length <= wireBytesMax,
          () => tooLarge(wireBytesMax),
        ),
      )

/** What `@segment/analytics-next` requests before it sends: where to send, and that there are no other destinations. */
const clientSettings = (writeKey: string, baseUrl: string) => ({
  integrations: {
    "Segment.io": {
      apiKey: writeKey,
      apiHost: `${baseUrl.replace(/^https?:\/\//, "")}/v1`,
      protocol: baseUrl.startsWith("http:") ? "http" : "https",
      unbundledIntegrations: [],
      addBundledMetadata: true,
    },
  },
  plan: {},
  edgeFunction: {},
  analyticsNextEnabled: true,
  middlewareSettings: {},
  enabledMiddleware: {},
  metrics: { sampleRate: 0 },
  legacyVideoPluginsEnabled: false,
  remotePlugins: [],
})
