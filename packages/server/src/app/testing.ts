// A throwaway server for testing applications: the real one, on its own Postgres in its own folder, behind a real
// loopback socket, with an organization, an owner, a key and a pixel. Ready in about two seconds; `close` stops
// everything and deletes the folder. Never use it for data you need.
import { Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Installation } from "../access/installation.ts"
import { MemberStore } from "../access/members/store.ts"
import { AccessTokens } from "../access/tokens/access-tokens.ts"
import { makeApplication, Platform } from "./application.ts"
import { assets } from "../assets.ts"
import { Demo } from "./demo/demo.ts"
import { listen } from "../platform/http/listening.ts"
import { Identification } from "../people/identification/identification.ts"
import { PixelChanges } from "../collect/pixels/pixel-changes.ts"
import { App, Workers } from "./server/services.ts"

/** Length of the throwaway secret. Units: bytes. */
const secretBytes = 48

export interface TestServerOptions {
  /** Host of the pixel. Default: `localhost`, whose pages count as the site's own. */
  readonly domain?: string | undefined
  /**
   * Fill it with the demo's visitors, topics, people and signals, which takes a few seconds more. Default: false, an
   * empty organization. Cannot be combined with `domain`.
   */
  readonly sample?: boolean | undefined
  /** Default: false, so that tests can send any number of requests. */
  readonly rateLimits?: boolean | undefined
}

export interface TestServer extends AsyncDisposable {
  /** Base URL of the API and the pixel host, without a trailing slash. */
  readonly url: string
  readonly organizationId: string
  readonly apiKey: string
  readonly pixelId: string
  /** The organization's owner, with a password to log in and an access token valid for an hour. */
  readonly owner: {
    readonly email: string
    readonly password: string
    readonly accessToken: string
  }
  /** The server without the network, for `new Footfall({ fetch })`. */
  fetch(request: Request): Promise<Response>
  /** Waits until every collected event has been identified. */
  identified(): Promise<void>
  /** Stops everything and deletes the folder. Safe to call again. */
  close(): Promise<void>
}

/** If there is no Postgres for this platform, it rejects and leaves nothing behind. */
export const startTestServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  if (options.sample === true && options.domain !== undefined) {
    throw new TypeError(
      "domain cannot be combined with sample, whose pixel has a domain of its own: leave out one of them",
    )
  }
  const dataDir = await mkdtemp(join(tmpdir(), "footfall-test-"))
  const scope = Scope.makeUnsafe()
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)).finally(() =>
      rm(dataDir, { recursive: true, force: true }),
    ))
  try {
    const port = await freePort()
    const server = await Effect.runPromise(
      Scope.provide(start({ ...options, dataDir, port, scope }), scope),
    )
    return { ...server, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

interface StartOptions extends TestServerOptions {
  readonly dataDir: string
  readonly port: number
  readonly scope: Scope.Scope
}

const start = Effect.fnUntraced(function* (options: StartOptions) {
  const { dataDir, domain = "localhost", port, rateLimits = false, sample = false, scope } = options
  const url = `http://127.0.0.1:${port}`
  const services = App(
    {
      databaseUrl: null,
      dataDir,
      secret: randomBytes(secretBytes).toString("base64url"),
      baseUrl: url,
      pixelBaseUrl: url,
      rateLimits,
      allowPrivateWebhooks: true,
      logger: () => {},
    },
    assets,
  )
  const context = yield* Layer.buildWithScope(
    Layer.provideMerge(Workers, Layer.provideMerge(services, Platform)),
    scope,
  )
  return yield* Effect.gen(function* () {
    const made = yield* sample ? demo(dataDir, url) : empty(domain)
    const application = yield* makeApplication({ demo: Option.none() })
    yield* listen({ host: "127.0.0.1", port, listener: application.listener })
    const identification = yield* Identification
    return {
      ...made,
      url,
      owner: { ...made.owner, accessToken: yield* tokenOf(made.owner.email) },
      fetch: (request: Request) => application.fetch(request),
      identified: () => Effect.runPromise(Effect.asVoid(identification.drain)),
    }
  }).pipe(Effect.provideContext(context))
})

const empty = Effect.fnUntraced(function* (domain: string) {
  const installation = yield* Installation
  const pixels = yield* PixelChanges
  const { apiKey, organizationId, owner } = yield* installation.create({
    organizationName: "Test",
    email: "owner@footfall.example",
  })
  const pixel = yield* pixels.create({ organizationId, actor: { type: "operator" } }, { domain })
  return {
    organizationId,
    apiKey: Redacted.value(apiKey),
    pixelId: pixel.id,
    owner: { email: owner.email, password: Redacted.value(owner.password) },
  }
})

const demo = Effect.fnUntraced(function* (dataDir: string, origin: string) {
  const demos = yield* Demo
  // The database is new, so the demo is created.
  return Option.getOrThrow(yield* demos.ensure({ dataDir, origin }))
})

const tokenOf = Effect.fnUntraced(function* (email: string) {
  const tokens = yield* AccessTokens
  const members = yield* MemberStore
  // The owner is a member of the only organization.
  const member = Option.getOrThrow(yield* members.find({ email, organizationId: undefined }))
  return Redacted.value((yield* tokens.issue(member)).accessToken)
})

/** A port that was free a moment ago, because the server must know its URL before it listens. */
const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  // A server listening on a port has an address object, not a pipe name.
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, "close")
  return port
}
