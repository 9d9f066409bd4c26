// The listening socket of a standalone server. It is bounded, responds with the envelope even if Node's parser rejects
// a request, and drains when its scope closes: readiness turns false, keep-alive connections are asked to close,
// requests in progress finish, and whatever is still open after 20 seconds is closed (spec 5.15).
import { Clock, DateTime, Duration, Effect, Fiber, Schedule, Schema } from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { oneAtATime } from "./one-at-a-time.ts"
import { Readiness } from "./operations.ts"
import { answerParserErrors, refuseWithoutOneHost, socketLimits } from "./parser-errors.ts"

/**
 * Time for a keep-alive connection to receive one more response, which announces its end. Closing it outright could cut
 * off a request. Without connections there is no wait.
 */
const farewellDuration = Duration.seconds(1)

/** Time for requests in progress to finish. */
const drainDuration = Duration.seconds(20)

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  host: Schema.String,
  port: Schema.Int,
  code: Schema.String,
}) {
  override get message(): string {
    const where = `${this.host}:${this.port}`
    return this.code === "EADDRINUSE"
      ? `Another program is using ${where}. Stop it, or choose another port: --port or PORT.`
      : `Cannot listen on ${where}: ${this.code}. Choose another address: --host, --port, HOST or PORT.`
  }
}

/** Listens until the scope closes. Returns the port, which differs from the requested one if that was 0. */
export const listen = Effect.fn("http.listen")(function* (options: {
  readonly host: string
  readonly port: number
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
}) {
  const clock = yield* Clock.Clock
  const readiness = yield* Readiness
  let isDraining = false
  const now = () => DateTime.formatIso(DateTime.makeUnsafe(clock.currentTimeMillisUnsafe()))
  const server = createServer(
    { ...socketLimits },
    oneAtATime((request, response) => {
      if (refuseWithoutOneHost(request, response, now)) return
      if (isDraining) response.setHeader("connection", "close")
      options.listener(request, response)
    }),
  )
  answerParserErrors(server, now)
  const drained = Effect.gen(function* () {
    yield* readiness.stop
    isDraining = true
    yield* farewell(server)
    yield* drain(server)
  })
  yield* Effect.acquireRelease(open(server, options), () => drained)
  // A server listening on a port, not on a path, has such an address.
  return (server.address() as AddressInfo).port
})

const open = (server: Server, { host, port }: { readonly host: string; readonly port: number }) =>
  Effect.callback<void, ListenFailed>((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      resume(new ListenFailed({ host, port, code: error.code ?? error.message }))
    })
    server.listen(port, host, () => resume(Effect.void))
  })

const farewell = (server: Server) =>
  countOfConnections(server).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (count) => count === 0 }),
    Effect.timeoutOption(farewellDuration),
  )

const countOfConnections = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.getConnections((_error, count) => resume(Effect.succeed(count)))
  })

/** A keep-alive connection becomes idle only after its response, so idle ones are closed repeatedly. */
const drain = (server: Server) =>
  Effect.gen(function* () {
    const closed = yield* Effect.forkChild(
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      }),
      { startImmediately: true },
    )
    const sweep = Effect.sync(() => server.closeIdleConnections()).pipe(
      Effect.repeat(Schedule.spaced("50 millis")),
    )
    yield* Effect.raceFirst(Fiber.join(closed), sweep).pipe(
      Effect.timeoutOrElse({
        duration: drainDuration,
        orElse: () => Effect.sync(() => server.closeAllConnections()),
      }),
    )
  })
