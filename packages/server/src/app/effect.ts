// Footfall for Effect programs: the server as a layer, its services by name, so that a store, a mailer or a clock can
// be replaced without a fork, and the contract, from which Effect derives a typed client. Anything not exported here
// may change.
import { Context, Layer, Option } from "effect"
import { type Application, makeApplication, Platform } from "./application.ts"
import { assets } from "../assets.ts"
import type { AppOptions } from "./server/configuration.ts"
import { App, Workers } from "./server/services.ts"

export { clientCredentials, type ClientCredentialsOptions } from "../access/client-credentials.ts"
export { Api } from "./api.ts"
export type { Application } from "./application.ts"
export type { LogEntry } from "./server/base-configuration.ts"
export type { AppOptions, Replacements } from "./server/configuration.ts"
export { ServerConfig } from "./config/config.ts"
export { listen } from "../platform/http/listening.ts"

// Services that may be replaced.
export { MailFailed, type MailMessage, Mail } from "../platform/outbound/mail/mail.ts"
export { Outbound } from "../platform/outbound/outbound.ts"
export { PeopleStore } from "../people/person/store.ts"
export { SignalStore } from "../intent/signals/store.ts"

// Services that may be called.
export { Audiences } from "../intent/audiences/lifecycle/audiences.ts"
export { Identification } from "../people/identification/identification.ts"
export { Installation } from "../access/installation.ts"
export { Imports } from "../people/imports/imports.ts"
export { Runs } from "../intent/runs/runs.ts"
export { Suppression } from "../people/suppression/suppression.ts"
export { Visitors } from "../people/visitors/visitors.ts"

export interface ServerOptions extends AppOptions {
  /** Run workers in this process. Default: true. */
  readonly workers?: boolean | undefined
}

/** The handlers of a running server. */
export class FootfallServer extends Context.Service<FootfallServer, Application>()(
  "@footfall/server/FootfallServer",
) {
  /** The server with all its services; runs while its scope is open. */
  static readonly layer = ({ workers = true, ...options }: ServerOptions = {}) =>
    Layer.effect(FootfallServer, makeApplication({ demo: Option.none() })).pipe(
      Layer.provideMerge(workers ? Workers : Layer.empty),
      Layer.provideMerge(App(options, assets)),
      Layer.provideMerge(Platform),
    )
}
