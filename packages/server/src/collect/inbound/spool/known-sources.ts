// What every source's requests are checked with while Postgres is away (spec 15.3.5): in memory, and in a sealed file for
// a restart. At most 5 seconds old while Postgres answers.
import { Context, Effect, Layer, Schedule } from "effect"
import { type KeyObject, randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { DataKeys } from "../../../platform/secrets/data-keys.ts"
import { Secrets } from "../../../platform/secrets/secrets.ts"
import { InboundConfig } from "../inbound-config.ts"
import type { InboundSource } from "../inbound-source.ts"
import { openSigningSecrets } from "../signing-secrets.ts"
import { InboundStore, type KnownSource } from "../store.ts"
import { openBytes, sealBytes } from "./files.ts"

/** A source with the secrets that are good now; none, and yet signed, if they can't be opened. */
export interface CheckedSource {
  readonly source: InboundSource
  readonly isSigned: boolean
  readonly secrets: ReadonlyArray<string>
}

interface Entry {
  readonly source: InboundSource
  /** Hex. */
  readonly digest: string
  readonly formerDigest: string | null
  readonly formerUntil: number | null
  readonly isSigned: boolean
  readonly secret: string | null
  readonly formerSecret: string | null
  readonly formerSecretUntil: number | null
}

/** Less than the 5 seconds of spec 15.3.5, for what the statement itself takes. */
const refreshEvery = "4 seconds"
const fileName = "sources"

const make = Effect.gen(function* () {
  const store = yield* InboundStore
  const dataKeys = yield* DataKeys
  const keys = (yield* Secrets).keys("inbound-spool")
  const directory = join((yield* InboundConfig).dataDir, "inbound")
  // Processes in containers may have the same id, and share the directory.
  const written = join(directory, `${fileName}.${randomUUID()}`)
  /** By the digest of a URL's token. */
  let known: ReadonlyMap<string, { readonly entry: Entry; readonly isFormer: boolean }> = new Map()
  let version = ""

  const entryOf = Effect.fnUntraced(function* (row: KnownSource) {
    const {
      digest,
      formerDigest,
      formerUntil,
      formerSecretUntil,
      secret,
      formerSecret,
      ...source
    } = row
    const opened = (sealed: Uint8Array | null) =>
      sealed === null
        ? Effect.succeed(null)
        : Effect.map(
            openSigningSecrets(dataKeys, { ...source, secret: sealed, formerSecret: null }),
            ([text]) => text ?? null,
          )
    return {
      source,
      digest: Buffer.from(digest).toString("hex"),
      formerDigest: formerDigest === null ? null : Buffer.from(formerDigest).toString("hex"),
      formerUntil,
      formerSecretUntil,
      isSigned: secret !== null,
      secret: yield* opened(secret),
      formerSecret: yield* opened(formerSecret),
    } satisfies Entry
  })

  const learn = (entries: ReadonlyArray<Entry>) => {
    const byDigest = new Map<string, { readonly entry: Entry; readonly isFormer: boolean }>()
    for (const entry of entries) {
      byDigest.set(entry.digest, { entry, isFormer: false })
      if (entry.formerDigest !== null) byDigest.set(entry.formerDigest, { entry, isFormer: true })
    }
    known = byDigest
  }

  const refresh = Effect.gen(function* () {
    const now = yield* store.version
    if (now === version) return
    const entries = yield* Effect.forEach(yield* store.known, entryOf)
    learn(entries)
    yield* Effect.promise(() => save(directory, written, keys, JSON.stringify(entries)))
    version = now
  })

  const saved = yield* Effect.promise(() => load(directory, keys))
  if (saved !== undefined) learn(JSON.parse(saved) as ReadonlyArray<Entry>)
  yield* refresh.pipe(
    Effect.catchCause((cause) => Effect.logWarning("inbound sources not refreshed", cause)),
    Effect.repeat(Schedule.spaced(refreshEvery)),
    Effect.forkScoped,
  )

  return {
    /** The source of a token's digest (hex) at this moment, in epoch milliseconds. */
    find: (digest: string, now: number): CheckedSource | undefined => {
      const found = known.get(digest)
      if (found === undefined) return undefined
      const { entry, isFormer } = found
      if (isFormer && (entry.formerUntil ?? 0) <= now) return undefined
      const former = (entry.formerSecretUntil ?? 0) > now ? entry.formerSecret : null
      return {
        source: entry.source,
        isSigned: entry.isSigned,
        secrets: [entry.secret, former].filter((secret) => secret !== null),
      }
    },
    /** Reads them now. Tests wait for it. */
    refresh,
  }
})

export class KnownSources extends Context.Service<KnownSources, Effect.Success<typeof make>>()(
  "@footfall/server/inbound/KnownSources",
) {
  static readonly layer = Layer.effect(KnownSources, make)
}

const load = async (
  directory: string,
  keys: ReadonlyArray<KeyObject>,
): Promise<string | undefined> => {
  const sealed = await readFile(join(directory, fileName)).catch(() => undefined)
  return sealed === undefined ? undefined : openBytes(keys, sealed)?.toString("utf8")
}

/** Replaces the file at once, so that a kill leaves the former or the new one. */
const save = async (
  directory: string,
  written: string,
  keys: ReadonlyArray<KeyObject>,
  text: string,
): Promise<void> => {
  await mkdir(directory, { recursive: true })
  const handle = await open(written, "w", 0o600)
  try {
    await handle.writeFile(sealBytes(keys, Buffer.from(text)))
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(written, join(directory, fileName))
}
