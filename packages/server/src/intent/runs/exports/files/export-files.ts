// Export files on this machine: `DATA_DIR/exports/<organization>/<export>.<SHA-256>.csv` or `.parquet`, mode 0600. A
// file gets its name only once it is complete and on disk, and the name identifies its content, so the record is enough to find it.
// Files without a record are removed (`sweep`).
import {
  Clock,
  Context,
  Effect,
  FileSystem,
  Layer,
  Option,
  type PlatformError,
  type Scope,
  Stream,
} from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash } from "node:crypto"
import type { CsvRows } from "../../../../platform/database/copied-rows.ts"
import type { ExportType } from "../export.ts"
import type { FileFacts } from "../store.ts"

export interface ExportFile {
  readonly organizationId: string
  readonly id: string
  readonly exportType: ExportType
}

/** What writes a file: an export attempt, identified by its claim (jobs/queue.ts), or a download, which has none. */
export interface FileWriter {
  readonly claim?: string
}

/**
 * Which files of an export to keep: while it is being created, all complete files and the one the newest claim is
 * writing; afterwards the file with the hash.
 */
export type Kept = ReadonlyMap<
  string,
  { readonly contentSha256: string | null; readonly claim: string | null }
>

/** A file that was not written to for this long was abandoned. Units: milliseconds. */
const partLifetimeMs = 3_600_000
const chunkSize = 262_144

type Failure = PlatformError.PlatformError

export class ExportFiles extends Context.Service<
  ExportFiles,
  {
    /**
     * Writes a file. When this returns, it is complete and on disk; when it fails, is interrupted, or the process is
     * killed, it does not exist. Also fails once a later claim's attempt has started.
     */
    write<E>(
      file: ExportFile & FileWriter,
      lines: Stream.Stream<CsvRows, E>,
    ): Effect.Effect<FileFacts, E | Failure>
    /** The file's bytes; undefined if it is not on this machine. */
    open(
      file: ExportFile & FileFacts,
    ): Effect.Effect<Stream.Stream<Uint8Array, Failure> | undefined, Failure>
    remove(file: ExportFile & FileFacts): Effect.Effect<void, Failure>
    /** Removes every file that `kept` does not name, given the exports with files on this machine. */
    sweep<E>(
      kept: (ids: ReadonlyArray<string>) => Effect.Effect<Kept, E>,
    ): Effect.Effect<void, E | Failure>
  }
>()("@footfall/server/runs/ExportFiles") {
  /** `directory`: contains one folder per organization. */
  static readonly layer = (directory: string) =>
    Layer.effect(
      ExportFiles,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const random = yield* SecureRandom.SecureRandom
        const folderOf = ({ organizationId }: ExportFile) => `${directory}/${organizationId}`
        const pathOf = (file: ExportFile, contentSha256: string) =>
          `${folderOf(file)}/${file.id}.${contentSha256}.${file.exportType}`

        /** A name is on disk once its folder is synced. */
        const syncFolder = (folder: string) =>
          Effect.scoped(Effect.flatMap(files.open(folder, { flag: "r" }), ({ sync }) => sync))

        const toDisk = Effect.fnUntraced(function* <E>(
          path: string,
          lines: Stream.Stream<CsvRows, E>,
        ): Effect.fn.Return<FileFacts, E | Failure, Scope.Scope> {
          const file = yield* files.open(path, { flag: "wx", mode: 0o600 })
          const hash = createHash("sha256")
          let byteSize = 0
          let rowCount = 0
          yield* Stream.runForEach(lines, ({ bytes, rows }) => {
            hash.update(bytes)
            byteSize += bytes.length
            rowCount += rows
            return file.writeAll(bytes)
          })
          yield* file.sync
          return { byteSize, rowCount, contentSha256: hash.digest("hex") }
        })

        return ExportFiles.of({
          write: Effect.fnUntraced(function* (file, lines) {
            const folder = folderOf(file)
            const writer = file.claim === undefined ? file.id : `${file.id}.${file.claim}`
            const part = `${folder}/${writer}.${yield* random.uuidV4()}.part`
            yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
            return yield* Effect.scoped(toDisk(part, lines)).pipe(
              Effect.tap(({ contentSha256 }) => files.rename(part, pathOf(file, contentSha256))),
              Effect.tap(() => syncFolder(folder)),
              Effect.onError(() => Effect.ignore(files.remove(part, { force: true }))),
            )
          }),

          open: Effect.fnUntraced(function* (file) {
            const path = pathOf(file, file.contentSha256)
            const info = yield* Effect.catchReason(
              files.stat(path),
              "PlatformError",
              "NotFound",
              () => Effect.succeed(undefined),
            )
            if (info === undefined || Number(info.size) !== file.byteSize) return undefined
            return files.stream(path, { chunkSize })
          }),

          remove: (file) => files.remove(pathOf(file, file.contentSha256), { force: true }),

          sweep: Effect.fnUntraced(function* (kept) {
            const found = yield* filesIn(files, directory)
            if (found.length === 0) return
            const stays = yield* kept([...new Set(found.map(({ id }) => id))])
            const now = yield* Clock.currentTimeMillis
            for (const file of found) {
              if (!isKept(file, stays, now)) yield* files.remove(file.path, { force: true })
            }
          }),
        })
      }),
    )
}

interface FoundFile {
  readonly path: string
  readonly id: string
  /** For a complete file; undefined while it is being written. */
  readonly contentSha256: string | undefined
  /** Of the attempt writing it; undefined for a download and a complete file. */
  readonly claim: string | undefined
  readonly modifiedAtMs: number
}

const fileName =
  /^([0-9a-f-]{36})\.(?:([0-9a-f]{64})\.(?:csv|parquet)|(?:(\d+)\.)?[0-9a-f-]{36}\.part)$/

/**
 * Only names that look like an export: the folder may contain other files, and another process may remove one at any
 * time.
 */
const filesIn = Effect.fnUntraced(function* (files: FileSystem.FileSystem, directory: string) {
  const found: Array<FoundFile> = []
  if (!(yield* files.exists(directory))) return found
  for (const organizationId of yield* files.readDirectory(directory)) {
    const folder = `${directory}/${organizationId}`
    const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
    for (const name of names) {
      const [, id, contentSha256, claim] = fileName.exec(name) ?? []
      if (id === undefined) continue
      const path = `${folder}/${name}`
      const info = yield* Effect.option(files.stat(path))
      if (Option.isNone(info)) continue
      const modifiedAt = Option.getOrUndefined(info.value.mtime)
      found.push({ path, id, contentSha256, claim, modifiedAtMs: modifiedAt?.getTime() ?? 0 })
    }
  }
  return found
})

/**
 * An export in progress has no hash yet, but its file may be complete a moment earlier. Of two claims the later one
 * wins: a file that the earlier one is still writing can be removed.
 */
const isKept = (
  { claim, contentSha256, id, modifiedAtMs }: FoundFile,
  stays: Kept,
  nowMs: number,
): boolean => {
  const wanted = stays.get(id)
  if (wanted === undefined) return false
  if (contentSha256 !== undefined) {
    return wanted.contentSha256 === null || wanted.contentSha256 === contentSha256
  }
  if (nowMs - modifiedAtMs >= partLifetimeMs) return false
  if (claim === undefined) return true
  return wanted.claim !== null && BigInt(claim) >= BigInt(wanted.claim)
}
