// `footfall-server start`: runs the server until it is stopped. With `--demo` it fills an empty database with the demo
// installation, serves the demo page, and writes the command line's profile. A bundle of its own (docs/adr/0005).
import { Effect, Layer, Option } from "effect"
import { makeApplication, makeOperationsListener, Platform } from "../application.ts"
import { assets } from "../../assets.ts"
import { ServerConfig } from "../config/config.ts"
import type { ConfigOptions } from "../config/options.ts"
import { Database } from "../../platform/database/database.ts"
import { configDirectory, writeDemoProfile } from "../demo/profile.ts"
import { Demo, type DemoInstallation } from "../demo/demo.ts"
import { listen } from "../../platform/http/listening.ts"
import { FirstDayStore } from "../server/first-day-store.ts"
import { App, Workers } from "../server/services.ts"
import { version } from "../../version.ts"
import { giveBackMemory } from "./idle-memory.ts"
import { Output } from "./output.ts"
import { commandLine, readyText } from "./ready-text.ts"
import { type JsonFlag, run } from "./run.ts"

export interface StartOptions {
  readonly isDemo: boolean
  /** Whether requests are served; false with `--workers-only`. */
  readonly serves: boolean
  /** Whether workers run; false with `--no-workers`. */
  readonly works: boolean
  readonly platform: string
  readonly homeDirectory: string
  readonly hasColor: boolean
}

/** Runs the server in this process, until a signal stops it. */
export const startServer = (
  options: ConfigOptions,
  flags: JsonFlag,
  start: StartOptions,
): Promise<void> => run(Layer.provideMerge(App(options, assets), Platform), flags, started(start))

const started = Effect.fn("start")(function* (options: StartOptions) {
  const config = yield* ServerConfig
  const database = yield* Database
  const output = yield* Output
  const demos = yield* Demo

  const demo = options.isDemo
    ? yield* demos.ensure({ dataDir: config.dataDir, origin: config.pixelBaseUrl })
    : Option.none<DemoInstallation>()
  if (options.isDemo && Option.isNone(demo)) {
    yield* output.note("This database was not created by the demo, so there is no demo page.\n")
  }
  const firstDay = yield* (yield* FirstDayStore).state
  const listener = options.serves
    ? (yield* makeApplication({
        demo: Option.map(demo, (installation) => ({ ...installation, commandLine })),
      })).listener
    : yield* makeOperationsListener
  if (options.works) yield* Layer.build(Workers)
  const port = yield* listen({ host: config.host, port: config.port, listener })
  const address = addressOf(config.host, port)
  const url = options.serves ? address : undefined
  const profile =
    url === undefined
      ? undefined
      : yield* Option.match(demo, {
          onNone: () => Effect.succeed(undefined),
          onSome: ({ apiKey }) => writeProfile(options, { baseUrl: url, apiKey }),
        })
  const ready = {
    url,
    address,
    pixelBaseUrl: config.pixelBaseUrl,
    database: database.kind,
    demo: Option.getOrUndefined(demo),
  }
  yield* output.result(
    { event: "ready", ...ready },
    readyText({
      ...ready,
      // People open the URL that others use; programs that started the process get the address it listens on.
      url: url !== undefined && config.isBaseUrlGiven ? config.baseUrl : url,
      hasConsole: config.hasConsole,
      profile,
      dataDir: config.dataDir,
      firstDay,
      hasCompanyFile: config.ipCompanyFile !== undefined,
      hasColor: options.hasColor,
    }),
  )
  yield* Effect.logInfo("server started").pipe(
    Effect.annotateLogs({
      version,
      address,
      database: database.kind,
      serves: options.serves,
      works: options.works,
    }),
  )
  yield* Effect.addFinalizer(() => Effect.logInfo("server stopping"))
  yield* giveBackMemory
  return yield* Effect.never
})

/** Clients can't connect to a wildcard address. */
const addressOf = (host: string, port: number): string => {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

/** The profile is a convenience: failing to write it is reported and stops nothing. */
const writeProfile = Effect.fnUntraced(
  function* (
    options: StartOptions,
    profile: { readonly baseUrl: string; readonly apiKey: string },
  ) {
    const directory = yield* configDirectory(options)
    return yield* writeDemoProfile({ directory, ...profile })
  },
  (effect) =>
    Effect.gen(function* () {
      const output = yield* Output
      return yield* Effect.catch(effect, (error) =>
        Effect.as(
          output.note(`Could not save a profile for the command line: ${error.message}\n`),
          undefined,
        ),
      )
    }),
)
