// The files of exports on this machine: `DATA_DIR/exports/<organization>/<export>.<SHA-256>.csv`, mode 0600.
// A file has its name from the moment it is whole and on the disk, never before, and its name says what is in
// it: who knows the record knows the file. What the records do not know is removed (`sweep`).
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
import type { CsvRows } from "../../../database/copied-rows.ts"
import type { FileFacts } from "../store.ts"

export interface ExportFile {
  readonly organizationId: string
  readonly id: string
}

/** Who writes a file: an attempt at the export by its claim (jobs/queue.ts), or a download, which has none. */
export interface FileWriter {
  readonly claim?: string
}

/**
 * What of the files of an export stays: of one that is being made all that are whole, and what the newest
 * claim writes; else the one with the hash.
 */
export type Kept = ReadonlyMap<
  string,
  { readonly contentSha256: string | null; readonly claim: string | null }
>

/** A file to which nothing was written for longer than this was given up. Units: milliseconds. */
const partLifetimeMs = 3_600_000
const chunkSize = 262_144

type Failure = PlatformError.PlatformError

export class ExportFiles extends Context.Service<
  ExportFiles,
  {
    /**
     * Writes a file: whole and on the disk when this returns, not there at all when it fails, is
     * interrupted, or the process is killed. Fails as well when a later claim's attempt has begun.
     */
    write<E>(
      file: ExportFile & FileWriter,
      lines: Stream.Stream<CsvRows, E>,
    ): Effect.Effect<FileFacts, E | Failure>
    /** Its bytes; undefined when the file is not on this machine. */
    open(
      file: ExportFile & FileFacts,
    ): Effect.Effect<Stream.Stream<Uint8Array, Failure> | undefined, Failure>
    remove(file: ExportFile & FileFacts): Effect.Effect<void, Failure>
    /** Removes what `kept`, asked with the exports of the files on this machine, does not name. */
    sweep<E>(
      kept: (ids: ReadonlyArray<string>) => Effect.Effect<Kept, E>,
    ): Effect.Effect<void, E | Failure>
  }
>()("@footfall/server/runs/ExportFiles") {
  /** `directory`: where the folders of the organizations are. */
  static readonly layer = (directory: string) =>
    Layer.effect(
      ExportFiles,
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const random = yield* SecureRandom.SecureRandom
        const folderOf = ({ organizationId }: ExportFile) => `${directory}/${organizationId}`
        const pathOf = (file: ExportFile, contentSha256: string) =>
          `${folderOf(file)}/${file.id}.${contentSha256}.csv`

        /** A name is on the disk when its folder is. */
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
  /** Of a whole file; undefined while it is written. */
  readonly contentSha256: string | undefined
  /** Of the attempt that writes it; undefined of a download, and of a whole file. */
  readonly claim: string | undefined
  readonly modifiedAtMs: number
}

const fileName = /^([0-9a-f-]{36})\.(?:([0-9a-f]{64})\.csv|(?:(\d+)\.)?[0-9a-f-]{36}\.part)$/

/** What looks like ours: something else may lie there too, and another process may remove one meanwhile. */
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
 * An export that is being made has no hash yet; the file it has a moment before is whole. Of two claims the
 * later one is the fence: what the earlier one writes, should it still be alive, can be no one's file.
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
