// Chooses where an embedded Postgres listens. A Unix socket in the cluster directory, which only its owner may enter,
// needs no password. If that path is too long for a socket, it is a short private directory in the temporary folder;
// without Unix sockets, it is a loopback port with a random password. postmaster.pid records the choice, so operator
// commands find it there.
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { Context, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { type Address, socketDirectoryPrefix, socketPort } from "./address.ts"
import type { PostmasterFile } from "./postmaster-file.ts"

/** The longest path of a Unix socket, in bytes, on the strictest system (macOS). */
export const socketPathBytesMax = 103

/** Whether to listen on a Unix socket or a loopback port. */
export const Transport = Context.Reference<"socket" | "port">(
  "@footfall/server/database/embedded/Transport",
  { defaultValue: () => (process.platform === "win32" ? "port" : "socket") },
)

/** A free loopback port. Another program may take it before Postgres does. */
export const FreePort = Context.Reference<Effect.Effect<number>>(
  "@footfall/server/database/embedded/FreePort",
  { defaultValue: () => freePort },
)

/** Where the password of a loopback port is stored; None for a Unix socket. */
export const ensurePasswordFile = Effect.fnUntraced(function* (dataDir: string) {
  if ((yield* Transport) === "socket") return Option.none<string>()
  const fs = yield* FileSystem.FileSystem
  const file = passwordFilePath(yield* Path.Path, dataDir)
  if (!(yield* fs.exists(file))) {
    const password = randomBytes(24).toString("base64url")
    yield* fs.writeFileString(`${file}.new`, password, { mode: 0o600 })
    yield* fs.rename(`${file}.new`, file)
  }
  return Option.some(file)
})

/** The address for a Postgres about to start. A short socket directory is removed with the scope. */
export const chooseAddress = Effect.fnUntraced(function* (options: {
  readonly directory: string
  readonly passwordFile: Option.Option<string>
}) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(options.passwordFile)) {
    const password = Redacted.make(yield* fs.readFileString(options.passwordFile.value))
    const port = yield* yield* FreePort
    const address: Address = { host: "127.0.0.1", port, password }
    return address
  }
  const socketPath = `${options.directory}/.s.PGSQL.${socketPort}`
  const host =
    Buffer.byteLength(socketPath) <= socketPathBytesMax
      ? options.directory
      : yield* fs.makeTempDirectoryScoped({ prefix: socketDirectoryPrefix })
  const address: Address = { host, port: socketPort }
  return address
})

/** The address of a running Postgres, from its pid file. */
export const addressOf = Effect.fnUntraced(function* (dataDir: string, running: PostmasterFile) {
  const fs = yield* FileSystem.FileSystem
  const isSocket = running.socketDirectory !== ""
  const address: Address = isSocket
    ? { host: running.socketDirectory, port: running.port }
    : {
        host: running.listenAddress,
        port: running.port,
        password: Redacted.make(
          yield* fs.readFileString(passwordFilePath(yield* Path.Path, dataDir)),
        ),
      }
  return address
})

const passwordFilePath = (path: Path.Path, dataDir: string): string =>
  path.join(dataDir, "postgres-password")

const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})
