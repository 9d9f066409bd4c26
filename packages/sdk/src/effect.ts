// `@footfall/sdk/effect`: the client for Effect programs. Every call is an Effect, every paged list
// a Stream, every file a Stream of bytes, and every SDK error a tagged error. Interrupting an
// Effect or Stream aborts its request. All types and calls are derived from the client.

import { Context, Effect, Layer, Option, Stream } from "effect"
import { type RawRequest, type Resources, resourcesOn } from "./client.ts"
import type { ApiResponse } from "./core/response.ts"
import { ByteStream } from "./core/byte-stream.ts"
import type { Page, PagedList, PageMeta } from "./core/paged-list.ts"
import type { RequestOptions } from "./core/request-options.ts"
import { type Scope, Transport } from "./core/transport.ts"
import type * as api from "./errors/api-error.ts"
import type { AbortedError, ConnectionError, TimeoutError } from "./errors/footfall-error.ts"
import { ConfigurationError, FootfallError } from "./errors/footfall-error.ts"
import { type FootfallOptions, resolveOptions } from "./options.ts"

/** Every error a call can fail with. Catch one with `Effect.catchTag("NotFoundError", …)`. */
export type CallError =
  | AbortedError
  | ConfigurationError
  | ConnectionError
  | TimeoutError
  | api.AuthenticationError
  | api.BadRequestError
  | api.ConflictError
  | api.InternalServerError
  | api.MethodNotAllowedError
  | api.NotFoundError
  | api.PayloadTooLargeError
  | api.PermissionError
  | api.RateLimitedError
  | api.RequestTimeoutError
  | api.ServiceUnavailableError
  | api.UnprocessableError
  | api.UnsupportedMediaTypeError
  | (api.ApiError & { readonly _tag: "ApiError" })

/** Converts the return type of a client call. */
export type Outcome<Given> =
  Given extends PagedList<infer Item, PageMeta>
    ? Stream.Stream<Item, CallError>
    : Given extends PromiseLike<infer Value>
      ? Effect.Effect<
          Value extends ByteStream ? Stream.Stream<Uint8Array, CallError> : Value,
          CallError
        >
      : never

/** A resource whose calls return Effects and Streams. A call may have calls of its own. */
export type Effectful<Resource> = {
  readonly [Name in keyof Resource]: Resource[Name] extends (...args: infer Args) => infer Given
    ? keyof Resource[Name] extends never
      ? (...args: Args) => Outcome<Given>
      : ((...args: Args) => Outcome<Given>) & Effectful<Resource[Name]>
    : Effectful<Resource[Name]>
}

/** The client, as provided by the service `Footfall`. Call `footfall.visitors.list()`, and so on. */
export interface FootfallService extends Effectful<Resources> {
  /** The server's URL, without a trailing slash. */
  readonly baseUrl: string
  /** Sends any request to the API. Use it for operations that this version has no method for. */
  readonly request: (
    request: RawRequest,
    options?: RequestOptions,
  ) => Effect.Effect<ApiResponse<unknown, unknown>, CallError>
}

/** A client for one Footfall server. */
export class Footfall extends Context.Service<Footfall, FootfallService>()(
  "@footfall/sdk/Footfall",
) {
  /**
   * Creates the client with the same options as in `@footfall/sdk`. Options that are not set come from the environment.
   */
  static readonly layer = (
    options: FootfallOptions = {},
  ): Layer.Layer<Footfall, ConfigurationError> => Layer.effect(Footfall, make(options))
}

const make = (options: FootfallOptions): Effect.Effect<FootfallService, ConfigurationError> =>
  Effect.try({
    try: () => {
      const settings = resolveOptions(options, globalThis.process?.env ?? {})
      const transport = new Transport(settings)
      return {
        baseUrl: settings.baseUrl,
        request: ({ body, credentials = "optional", method, path }, requestOptions = {}) => {
          const input = {
            method,
            path,
            body,
            credentials,
            options: requestOptions,
          }
          return attempt((signal) => transport.within({ signal }).request(input))
        },
        // The types are derived from the same client as the values.
        ...(effectfulResources(transport) as unknown as Effectful<Resources>),
      }
    },
    catch: (error) => {
      if (error instanceof ConfigurationError) return error
      throw error
    },
  })

/** The calls that return paged lists. A missing or extra name is a compile error. */
const lists: {
  readonly [Name in keyof Resources]: {
    readonly [Call in ListOf<Resources[Name]>]: true
  }
} = {
  visitors: {
    list: true,
    query: true,
    sessions: true,
    "sessions.events": true,
    "notes.list": true,
  },
  companies: { list: true, query: true, "sessions.events": true, "notes.list": true },
  overview: {},
  segments: { list: true },
  lists: { list: true, members: true },
  tags: {},
  score: {},
  suppression: { list: true },
  fileImports: { list: true },
  suppressionSources: {},
  inbound: {},
  pixels: {},
  linkTokens: {},
  webhooks: { deliveries: true },
  topics: { list: true },
  topicLists: { list: true },
  siteTopics: { list: true },
  audiences: { list: true },
  runs: { list: true, results: true },
  exports: { list: true },
  destinations: {},
  deliveries: { contacts: true, list: true, failures: true },
  integrations: {},
  account: {},
  auth: {},
  organizations: { list: true },
  members: { list: true },
  apiKeys: { list: true },
  auditLog: { list: true },
  erasures: { list: true },
  imports: {},
}

type ListOf<Resource> = {
  [Call in keyof Resource & string]:
    | (Resource[Call] extends (...args: never) => PagedList<infer _Item, infer _Meta>
        ? Call
        : never)
    | (Resource[Call] extends object ? `${Call}.${ListOf<Resource[Call]>}` : never)
}[keyof Resource & string]

/** Converts every resource. */
const effectfulResources = (transport: Transport): object => {
  const listNames = new Map<string, object>(Object.entries(lists))
  return Object.fromEntries(
    Object.entries(resourcesOn(transport)).map(([name, resource]) => [
      name,
      effectfulResource(resource, Object.keys(listNames.get(name) ?? {}), (scope) =>
        Reflect.get(resourcesOn(transport.within(scope)), name),
      ),
    ]),
  )
}

/** `within`: returns the same resource, bound to the scope of one call. */
const effectfulResource = (
  resource: object,
  listNames: ReadonlyArray<string>,
  within: (scope: Scope) => object,
): object => {
  const effectfulCall = (name: string) => {
    const call: ScopedCall = (scope, args) => {
      const owner = within(scope)
      return Reflect.apply(Reflect.get(owner, name), owner, args)
    }
    return listNames.includes(name) ? asStream(call) : asEffect(call)
  }
  const calls = callsOf(resource).map((name) => [name, effectfulCall(name)] as const)
  const inner = Object.entries(resource).map(([name, part]) => {
    const below = listNames.flatMap((list) =>
      list.startsWith(`${name}.`) ? [list.slice(name.length + 1)] : [],
    )
    const parts = effectfulResource(part, below, (scope) => Reflect.get(within(scope), name))
    if (typeof part !== "function") return [name, parts]
    const call = effectfulCall(name)
    return [name, Object.defineProperties(call, Object.getOwnPropertyDescriptors(parts))]
  })
  return Object.fromEntries([...calls, ...inner])
}

/** The names of its calls, also of those that its class inherits. */
const callsOf = (resource: object): ReadonlyArray<string> => {
  const own = Object.getPrototypeOf(resource)
  if (own === Object.prototype || own === Function.prototype) return []
  const names = Object.getOwnPropertyNames(own).filter((name) => name !== "constructor")
  return [...new Set([...names, ...callsOf(own)])]
}

type ScopedCall = (scope: Scope, args: ReadonlyArray<unknown>) => PromiseLike<unknown>

const asEffect =
  (call: ScopedCall) =>
  (...args: ReadonlyArray<unknown>) =>
    Effect.suspend(() => {
      // One controller for the whole call, including reading a file after the Effect has succeeded.
      const controller = new AbortController()
      const run = () => call({ signal: controller.signal }, args)
      return Effect.map(abortOnInterrupt(controller, run), (value) =>
        value instanceof ByteStream ? byteStreamOf(value, controller) : value,
      )
    })

const asStream =
  (call: ScopedCall) =>
  (...args: ReadonlyArray<unknown>) =>
    Stream.suspend(() => {
      const scope: Scope = {}
      // The type of `lists` guarantees this.
      const list = call(scope, args) as PagedList<unknown, PageMeta>
      const first = (): PromiseLike<Page<unknown, PageMeta> | null> => list
      return Stream.paginate(first, (next) =>
        attempt((signal) => {
          scope.signal = signal
          return next()
        }).pipe(
          Effect.map((page) => {
            const hasNext = page?.hasNextPage() === true
            const nextPage = hasNext ? Option.some(() => page.nextPage()) : Option.none()
            return [page?.data ?? [], nextPage] as const
          }),
        ),
      )
    })

const byteStreamOf = (file: ByteStream, controller: AbortController) =>
  Stream.suspend(() => {
    const chunks = file[Symbol.asyncIterator]()
    return Stream.paginate(undefined, () =>
      Effect.map(
        abortOnInterrupt(controller, () => chunks.next()),
        ({ done, value }) =>
          [done ? [] : [value], done ? Option.none() : Option.some(undefined)] as const,
      ),
    ).pipe(Stream.ensuring(Effect.promise(() => chunks.return(undefined))))
  })

/** Runs an Effect that aborts the controller when interrupted. */
const abortOnInterrupt = <Value>(controller: AbortController, run: () => PromiseLike<Value>) =>
  attempt((signal) => {
    signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true })
    return run()
  })

/** Fails with SDK errors. Any other error is a bug in the program, and becomes a defect. */
const attempt = <Value>(run: (signal: AbortSignal) => PromiseLike<Value>) =>
  Effect.tryPromise({ try: async (signal) => run(signal), catch: (error) => error }).pipe(
    Effect.catch((error) =>
      error instanceof FootfallError ? Effect.fail(error as CallError) : Effect.die(error),
    ),
  )
