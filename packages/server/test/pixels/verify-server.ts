// The real server with a test's own sites instead of the internet: every service and route, on the database of
// another test server, called without a socket.
import { ConfigProvider, Effect, Exit, Layer, Option, Scope } from "effect"
import { makeApplication, Platform } from "../../src/app/application.ts"
import { assets } from "../../src/assets.ts"
import { NameLookup } from "../../src/platform/outbound/vetted-addresses.ts"
import { SiteAddress } from "../../src/collect/pixels/verification/verification.ts"
import { App, Workers } from "../../src/app/server/services.ts"
import { type TestServer, testSecret } from "../support/server.ts"

export interface VerifyServer {
  fetch(input: string | Request | URL, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export const startVerifyServer = async (
  beside: TestServer,
  options: {
    readonly siteAddress: (domain: string) => string
    readonly lookup?: typeof NameLookup.Service
    /** `ALLOW_PRIVATE_WEBHOOKS`. */
    readonly allowPrivateWebhooks: "on" | "off"
  },
): Promise<VerifyServer> => {
  const scope = Scope.makeUnsafe()
  const services = App(
    {
      databaseUrl: beside.databaseUrl,
      secret: testSecret,
      rateLimits: false,
      baseUrl: beside.url,
    },
    assets,
  )
  const environment = ConfigProvider.fromEnv({
    env: { ALLOW_PRIVATE_WEBHOOKS: options.allowPrivateWebhooks },
  })
  const application = await Layer.buildWithScope(
    Layer.provideMerge(Layer.provideMerge(Workers, services), Platform).pipe(
      Layer.provide(Layer.succeed(SiteAddress, options.siteAddress)),
      Layer.provide(
        options.lookup === undefined ? Layer.empty : Layer.succeed(NameLookup, options.lookup),
      ),
      Layer.provide(Layer.succeed(ConfigProvider.ConfigProvider, environment)),
    ),
    scope,
  ).pipe(
    Effect.flatMap((context) =>
      makeApplication({ demo: Option.none() }).pipe(
        Effect.provideContext(context),
        Scope.provide(scope),
      ),
    ),
    Effect.runPromise,
  )
  return {
    fetch: (input, init) => application.fetch(new Request(input, init)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}
