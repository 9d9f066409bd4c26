// `footfall-server start`: runs the server until it is told to stop. With `--demo` an empty database
// is filled with the demo installation, its page is served, and the command line's profile written.
import { Effect, FileSystem, Layer, Option } from "effect"
import { dirname, join } from "node:path"
import { Installation } from "../access/installation.ts"
import { makeApplication } from "../application.ts"
import { ServerConfig } from "../config.ts"
import { Database } from "../database/database.ts"
import { configDirectory, demoProfileName, writeDemoProfile } from "../demo/profile.ts"
import { Demo, type DemoInstallation } from "../demo/demo.ts"
import { listen } from "../http/listening.ts"
import { Workers } from "../server/services.ts"
import { Output } from "./output.ts"
import { commandLineOf, readyText } from "./ready-text.ts"

export interface StartOptions {
  readonly isDemo: boolean
  /** Whether requests are answered: false with `--workers-only`. */
  readonly serves: boolean
  /** Whether workers run: false with `--no-workers`. */
  readonly works: boolean
  readonly platform: string
  readonly homeDirectory: string
  /** The one the command was started in. */
  readonly directory: string
  readonly hasColor: boolean
}

export const start = Effect.fn("start")(function* (options: StartOptions) {
  const config = yield* ServerConfig
  const database = yield* Database
  const output = yield* Output
  const demos = yield* Demo

  const demo = options.isDemo
    ? yield* demos.ensure({ dataDir: config.dataDir, origin: config.pixelBaseUrl })
    : Option.none<DemoInstallation>()
  if (options.isDemo && Option.isNone(demo)) {
    yield* output.note("This database is not the demo's own, so there is no demo page.\n")
  }
  const organizations = yield* (yield* Installation).organizations
  const commandLine = commandLineOf(yield* hasCommandLine(options.directory))
  const application = yield* makeApplication({
    basePath: "",
    demo: Option.map(demo, (installation) => ({ ...installation, commandLine })),
  })
  if (options.works) yield* Layer.build(Workers)
  const port = options.serves
    ? yield* listen({ host: config.host, port: config.port, listener: application.listener })
    : undefined
  const url = port === undefined ? undefined : addressOf(config.host, port)
  const profile =
    url === undefined
      ? undefined
      : yield* Option.match(demo, {
          onNone: () => Effect.succeed(undefined),
          onSome: ({ apiKey }) => writeProfile(options, { baseUrl: url, apiKey }),
        })
  const ready = {
    url,
    pixelBaseUrl: config.pixelBaseUrl,
    database: database.kind,
    demo: Option.getOrUndefined(demo),
  }
  yield* output.result(
    { event: "ready", ...ready },
    readyText({
      ...ready,
      profile,
      dataDir: config.dataDir,
      commandLine,
      hasOrganization: organizations.length > 0,
      hasColor: options.hasColor,
    }),
  )
  return yield* Effect.never
})

/** As `npx` looks for a command: in the packages of the directory, then in those of the ones above it. */
const hasCommandLine = (directory: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const above = dirname(directory)
    const isHere = yield* Effect.orElseSucceed(
      files.exists(join(directory, "node_modules/.bin/footfall")),
      () => false,
    )
    return isHere || (above !== directory && (yield* hasCommandLine(above)))
  })

/** A wildcard address is no address to call. */
const addressOf = (host: string, port: number): string => {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

/** The profile is a convenience: that it cannot be written is said and stops nothing. */
const writeProfile = Effect.fnUntraced(
  function* (
    options: StartOptions,
    profile: { readonly baseUrl: string; readonly apiKey: string },
  ) {
    const directory = yield* configDirectory(options)
    const current = yield* writeDemoProfile({ directory, ...profile })
    return current === demoProfileName ? "current" : "other"
  },
  (effect) =>
    Effect.gen(function* () {
      const output = yield* Output
      return yield* Effect.catch(effect, (error) =>
        Effect.as(
          output.note(`The command line's profile was not written: ${error.message}\n`),
          undefined,
        ),
      )
    }),
)
