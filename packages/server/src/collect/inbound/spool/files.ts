// The files of the spool (spec 15.3.5): sealed entries, appended and synced before the answer says that they are safe.
// Each process writes in a folder of its own. Entries that arrive together are synced together. A folder whose process is
// gone is taken over by another: renaming it is atomic, so one process gets it.
import {
  createCipheriv,
  createDecipheriv,
  type KeyObject,
  randomBytes,
  randomUUID,
} from "node:crypto"
import type { Dirent } from "node:fs"
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises"
import { dirname, join, sep } from "node:path"

/** A file is closed and replayed before it gets larger. Units: bytes. */
const fileBytesMax = 8 * 1024 * 1024
/** A process shows that it lives this often; after `deadMs` without a sign its folder is taken over. */
export const beatMs = 2_000
const deadMs = 10_000
const nonceLength = 12
const tagLength = 16
const headerLength = 4
/** More than the largest entry. */
const entryBytesMax = 4 * 1024 * 1024
const aad = Buffer.from("footfall inbound spool 1")
const beatName = "alive"
const ending = ".spool"

/** The spool has as much as it may have, or the disk is full. */
export class SpoolFull extends Error {
  override readonly name = "SpoolFull"
}

export interface SpoolOptions {
  /** Below DATA_DIR. */
  readonly directory: string
  readonly bytesMax: number
  /** The first seals; all of them open. */
  readonly keys: ReadonlyArray<KeyObject>
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** An entry as it was appended; undefined if none of the keys opens it. */
export interface SpoolEntry {
  readonly opened: Buffer | undefined
  readonly sealed: Buffer
}

interface Waiting {
  readonly bytes: Buffer
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

export const sealBytes = (keys: ReadonlyArray<KeyObject>, bytes: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv("aes-256-gcm", keys[0]!, nonce)
  cipher.setAAD(aad)
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Undefined if none of the keys opens it, or it was cut. */
export const openBytes = (
  keys: ReadonlyArray<KeyObject>,
  sealed: Uint8Array,
): Buffer | undefined => {
  const bytes = Buffer.from(sealed)
  for (const key of keys) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceLength))
      decipher.setAAD(aad)
      decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
      return Buffer.concat([
        decipher.update(bytes.subarray(nonceLength + tagLength)),
        decipher.final(),
      ])
    } catch {
      // another key, or a cut entry
    }
  }
  return undefined
}

export class SpoolFiles {
  readonly #options: SpoolOptions
  readonly #own: string
  #file: { readonly handle: FileHandle; readonly path: string; size: number } | undefined
  #waiting: Array<Waiting> = []
  /** Of those that wait for the file to be closed. */
  #closing: Array<() => void> = []
  #isWriting = false
  #number = 0
  /** Of the newest file: a clock that was set back must not change the order. Epoch milliseconds. */
  #newest = 0
  /** Files of this process that it writes no more. */
  readonly #closed = new Set<string>()
  /** Of this process's files and those it has taken over. */
  #bytes = 0
  #entries = 0
  /** Of entries that are not on the disk yet. */
  #pendingBytes = 0

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#own = join(options.directory, randomUUID())
  }

  get bytes(): number {
    return this.#bytes
  }

  get entries(): number {
    return this.#entries
  }

  /** Resolves once the entry is on the disk. Rejects with SpoolFull, or with the error of the file system. */
  append(entry: Uint8Array): Promise<void> {
    const bytes = framed(sealBytes(this.#options.keys, entry))
    if (this.#bytes + this.#pendingBytes + bytes.length > this.#options.bytesMax) {
      return Promise.reject(new SpoolFull("the spool is full"))
    }
    this.#pendingBytes += bytes.length
    return new Promise((done, failed) => {
      this.#waiting.push({ bytes, done: () => done(), failed })
      void this.#write()
    })
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    while (this.#waiting.length + this.#closing.length > 0) {
      // Before the next batch, or a steady flood would never let the file be closed.
      const closing = this.#closing
      this.#closing = []
      if (closing.length > 0) await this.#closeFile()
      for (const closed of closing) closed()
      const batch = this.#waiting
      this.#waiting = []
      if (batch.length === 0) continue
      const bytes = Buffer.concat(batch.map((one) => one.bytes))
      try {
        await this.#writeBatch(bytes)
        this.#entries += batch.length
        for (const one of batch) one.done()
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
      this.#pendingBytes -= bytes.length
    }
    this.#isWriting = false
  }

  async #writeBatch(bytes: Buffer): Promise<void> {
    const file = await this.#openFile()
    try {
      await writeWhole(file.handle, bytes, file.size)
      await file.handle.datasync()
      // Someone who took this process for dead may have moved the folder, and then replays what is in it.
      await stat(file.path)
    } catch (error) {
      this.#file = undefined
      if (file.size > 0) this.#closed.add(file.path)
      // What was written of the batch ends in the middle of an entry, or repeats entries that were refused.
      await file.handle.truncate(file.size).catch(() => undefined)
      await file.handle.close().catch(() => undefined)
      // A full disk would get one more file with every request.
      if (file.size === 0) await rm(file.path, { force: true }).catch(() => undefined)
      if (codeOf(error) === "ENOENT") await this.count().catch(() => undefined)
      throw error
    }
    file.size += bytes.length
    this.#bytes += bytes.length
    if (file.size >= fileBytesMax) await this.#closeFile()
  }

  async #openFile() {
    if (this.#file !== undefined) return this.#file
    await this.#makeOwn()
    this.#newest = Math.max(this.#newest, this.#options.now())
    const name = `${String(this.#newest).padStart(15, "0")}-${String(this.#number++).padStart(6, "0")}`
    const path = join(this.#own, `${name}.spool`)
    const handle = await open(path, "wx", 0o600)
    try {
      await syncFolder(this.#own)
    } catch (error) {
      await handle.close().catch(() => undefined)
      await rm(path, { force: true }).catch(() => undefined)
      throw error
    }
    this.#file = { handle, path, size: 0 }
    return this.#file
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    this.#closed.add(file.path)
    // What is in it was synced.
    await file.handle.close().catch(() => undefined)
  }

  /** A file is safe once every folder above it is. */
  async #makeOwn(): Promise<void> {
    const { directory } = this.#options
    const made = await mkdir(this.#own, { recursive: true })
    if (made !== undefined) {
      for (const folder of [directory, dirname(directory), dirname(dirname(directory))]) {
        await syncFolder(folder)
      }
    }
    await this.beat()
  }

  /** Shows the other processes that this one lives. */
  async beat(): Promise<void> {
    const path = join(this.#own, beatName)
    const time = this.#options.now() / 1_000
    try {
      await utimes(path, time, time)
    } catch {
      const handle = await open(path, "w", 0o600).catch(() => undefined)
      await handle?.close()
    }
  }

  /** Takes over the folders of processes that no longer live, and files that an operator put back. */
  async adopt(): Promise<void> {
    const { directory } = this.#options
    for (const one of await inFolder(directory)) {
      const found = join(directory, one.name)
      const isDead = one.isDirectory() && found !== this.#own && (await this.#isDead(found))
      if (!isDead && !(one.isFile() && one.name.endsWith(ending))) continue
      await this.#makeOwn()
      // A folder inside ours: what another process writes there fails its own check.
      const taken = join(this.#own, one.name)
      const isTaken = await rename(found, taken).then(
        () => true,
        () => false,
      )
      if (!isTaken) continue
      if (one.isFile()) this.#closed.add(taken)
      const { bytes, entries } = await sizeOf(one.isFile() ? [taken] : await filesBelow(taken))
      this.#bytes += bytes
      this.#entries += entries
      if (one.isDirectory()) await this.#flatten(taken)
    }
  }

  /** Puts the folders in one that was taken over beside it, or every start would put them one level deeper. */
  async #flatten(folder: string): Promise<void> {
    for (const inner of await inFolder(folder)) {
      if (!inner.isDirectory()) continue
      const beside = join(this.#own, inner.name)
      await rename(join(folder, inner.name), beside)
      await this.#removeEmpty(beside)
    }
    await this.#removeEmpty(folder)
  }

  async #isDead(folder: string): Promise<boolean> {
    const sign =
      (await stat(join(folder, beatName)).catch(() => undefined)) ??
      (await stat(folder).catch(() => undefined))
    // A sign from the future is one from before the clock was set back.
    return sign !== undefined && Math.abs(this.#options.now() - sign.mtimeMs) > deadMs
  }

  /** The files to replay, oldest first. Closes the one being written. */
  async closed(): Promise<ReadonlyArray<string>> {
    if (this.#file !== undefined) await this.#whenClosed()
    const files = await filesBelow(this.#own)
    return files.filter((path) => dirname(path) !== this.#own || this.#closed.has(path))
  }

  /** After the batch that is being written. */
  #whenClosed(): Promise<void> {
    return new Promise((closed) => {
      this.#closing.push(closed)
      void this.#write()
    })
  }

  /** The entries of a file in order. A cut one at the end is left out. */
  async read(path: string): Promise<ReadonlyArray<SpoolEntry>> {
    const bytes = await readFile(path)
    const entries: Array<SpoolEntry> = []
    let at = 0
    while (at + headerLength <= bytes.length) {
      const length = bytes.readUInt32BE(at)
      const end = at + headerLength + length
      if (length > entryBytesMax || end > bytes.length) break
      const sealed = bytes.subarray(at + headerLength, end)
      entries.push({ opened: openBytes(this.#options.keys, sealed), sealed })
      at = end
    }
    return entries
  }

  /** Everything in it was replayed. A folder that was taken over goes with its last file. */
  async delete(path: string): Promise<void> {
    const { bytes, entries } = await sizeOf([path])
    await rm(path, { force: true })
    this.#closed.delete(path)
    this.#bytes = Math.max(0, this.#bytes - bytes)
    this.#entries = Math.max(0, this.#entries - entries)
    await this.#removeEmpty(dirname(path))
  }

  /** Removes folders inside ours that have no file left. */
  async #removeEmpty(folder: string): Promise<void> {
    for (let empty = folder; empty.startsWith(this.#own + sep); empty = dirname(empty)) {
      if ((await filesBelow(empty)).length > 0) return
      await rm(empty, { recursive: true, force: true })
    }
  }

  /** Keeps an entry that can't be replayed for the operator, who renames the file to end in `.spool` to try it again. */
  async setAside({ sealed }: SpoolEntry): Promise<void> {
    const { directory } = this.#options
    const path = join(directory, `${randomUUID()}.aside`)
    const handle = await open(path, "wx", 0o600)
    try {
      await handle.writeFile(framed(sealed))
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await syncFolder(directory)
  }

  /** Counts what waits. */
  async count(): Promise<void> {
    const { bytes, entries } = await sizeOf(await filesBelow(this.#own))
    this.#bytes = bytes
    this.#entries = entries
  }

  /** Leaves what waits for the next process. */
  async close(): Promise<void> {
    await this.#whenClosed()
  }
}

const framed = (sealed: Buffer): Buffer => {
  const header = Buffer.alloc(headerLength)
  header.writeUInt32BE(sealed.length)
  return Buffer.concat([header, sealed])
}

/** A disk with little room takes a part of what it is given, and fails only when it is given the rest. */
const writeWhole = async (handle: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  let written = 0
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(
      bytes,
      written,
      bytes.length - written,
      position + written,
    )
    written += bytesWritten
  }
}

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** What is in a folder; nothing if it isn't there. Another fault must not look like an empty spool. */
const inFolder = (folder: string, recursive = false): Promise<ReadonlyArray<Dirent>> =>
  readdir(folder, { withFileTypes: true, recursive }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return []
    throw error
  })

/** By name, which begins with the time, whatever folder they are in. */
const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const found = await inFolder(folder, true)
  return found
    .filter((one) => one.isFile() && one.name.endsWith(ending))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((one) => join(one.parentPath, one.name))
}

/** Of files, of which some may be gone. */
const sizeOf = async (
  paths: ReadonlyArray<string>,
): Promise<{ readonly bytes: number; readonly entries: number }> => {
  let bytes = 0
  let entries = 0
  for (const path of paths) {
    const content = await readFile(path).catch(() => Buffer.alloc(0))
    bytes += content.length
    entries += entriesIn(content)
  }
  return { bytes, entries }
}

const entriesIn = (bytes: Buffer): number => {
  let entries = 0
  let at = 0
  while (at + headerLength <= bytes.length) {
    const end = at + headerLength + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    entries++
    at = end
  }
  return entries
}

/** What waits below a folder, for whoever does not run the spool. */
export const spoolState = async (
  directory: string,
): Promise<{ readonly entries: number; readonly bytes: number; readonly setAside: number }> => {
  const found = await inFolder(directory, true)
  const setAside = found.filter((one) => one.isFile() && one.name.endsWith(".aside")).length
  return { ...(await sizeOf(await filesBelow(directory))), setAside }
}
