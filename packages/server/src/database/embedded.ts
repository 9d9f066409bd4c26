// The embedded database: a real Postgres of this process on a directory of its own.
import { Effect, FileSystem, Option, Path } from "effect"
import type { Address } from "./embedded/address.ts"
import { findBinaries } from "./embedded/binaries.ts"
import { openCluster } from "./embedded/cluster.ts"
import { startPostmaster } from "./embedded/postmaster.ts"
import { openServerLog } from "./embedded/server-log.ts"

export const startEmbedded = Effect.fn("Database.startEmbedded")(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const binaries = yield* findBinaries
  yield* fs.makeDirectory(dataDir, { recursive: true, mode: 0o700 })
  const directory = path.join(yield* fs.realPath(dataDir), "postgres")
  const cluster = yield* openCluster({ binaries, directory, passwordFile: Option.none() })
  const address: Address = { host: directory, port: 5432 }
  const log = yield* openServerLog(path.join(dataDir, "postgres.log"))
  yield* startPostmaster({ binaries, cluster, address, log })
  return address
})
