// The server's secrets: from FOOTFALL_SECRET, or with the embedded Postgres from a file (spec 1.2, rule 3).
import { Effect, FileSystem, Redacted } from "effect"
import { guidePage } from "../../platform/guide-page.ts"
import { invalid, variableOf } from "./reading.ts"
import {
  makeSecretFile,
  readSecretValues,
  secretLengthMin,
  storedSecretValues,
} from "./secret-file.ts"

export const readSecrets = Effect.fnUntraced(function* (options: {
  readonly given: string | undefined
  readonly dataDir: string
  readonly isEmbedded: boolean
}) {
  const text = options.given ?? (yield* variableOf("FOOTFALL_SECRET"))
  if (text === undefined) {
    if (options.isEmbedded) {
      return { secrets: yield* storedSecrets(options.dataDir), areSecretsGiven: false }
    }
    return yield* invalid(
      "FOOTFALL_SECRET",
      `it is required with DATABASE_URL; expected at least ${secretLengthMin} characters`,
    )
  }
  const values = readSecretValues(text)
  if (values === undefined) {
    return yield* invalid(
      options.given === undefined ? "FOOTFALL_SECRET" : "secret",
      `expected one or two values of at least ${secretLengthMin} characters, separated by a comma`,
    )
  }
  return { secrets: values.map((value) => Redacted.make(value)), areSecretsGiven: true }
})

/**
 * `DATA_DIR/secret`, mode 0600, created by the first embedded start (spec 1.2, rule 3). Next to an existing database
 * none is created, because it would open none of the stored values.
 */
const storedSecrets = Effect.fnUntraced(
  function* (dataDir: string) {
    const files = yield* FileSystem.FileSystem
    const path = `${dataDir}/secret`
    const hasDatabase = yield* files.exists(`${dataDir}/postgres/PG_VERSION`)
    if (!(yield* files.exists(path))) {
      if (hasDatabase) return yield* lost(`${path} is missing`, dataDir)
      yield* makeSecretFile(path)
    }
    const values = storedSecretValues(yield* files.readFileString(path))
    if (values !== undefined) return values.map((value) => Redacted.make(value))
    const found = `${path} contains no secret of at least ${secretLengthMin} characters`
    if (hasDatabase) return yield* lost(found, dataDir)
    return yield* invalid("DATA_DIR", `${found}. Remove it to get a new one`)
  },
  (effect, dataDir) =>
    Effect.catchTag(effect, "PlatformError", ({ reason }) =>
      invalid("DATA_DIR", `the secret cannot be saved in ${dataDir}: ${whyOf(reason)}`),
    ),
)

/** Says what another secret would cost; the guide says how to continue with one. */
const lost = (found: string, dataDir: string) =>
  invalid(
    "DATA_DIR",
    `${found}, and there is a database in ${dataDir} already: without the secret of its first start, ` +
      "webhook secrets and credentials of connected accounts cannot be read, erased people are not " +
      "recognized, and every session, cursor and link that was handed out stops working. Restore the file, or set FOOTFALL_SECRET to its content. " +
      `If it is lost for good, see ${guidePage("operations/backup-and-restore")}`,
  )

/** The operating system's message, such as `EROFS: read-only file system, mkdir '…'`. */
const whyOf = ({ _tag, cause }: { readonly _tag: string; readonly cause?: unknown }): string =>
  cause instanceof Error ? cause.message : _tag
