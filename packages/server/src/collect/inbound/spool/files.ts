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
import { dirname, join } from "node:path"

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
  #isWriting = false
  #number = 0
  /** Files of this process that it writes no more. */
  readonly #closed = new Set<string>()
  /** Of this process's files and those it has taken over. */
  #bytes = 0
  #entries = 0

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
    const sealed = sealBytes(this.#options.keys, entry)
    const bytes = Buffer.alloc(headerLength + sealed.length)
    bytes.writeUInt32BE(sealed.length)
    sealed.copy(bytes, headerLength)
    const size = this.#waiting.reduce((sum, one) => sum + one.bytes.length, 0)
    if (this.#bytes + size + bytes.length > this.#options.bytesMax) {
      return Promise.reject(new SpoolFull("the spool is full"))
    }
    return new Promise((done, failed) => {
      this.#waiting.push({ bytes, done: () => done(), failed })
      void this.#write()
    })
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#writeBatch(Buffer.concat(batch.map(({ bytes }) => bytes)))
        this.#entries += batch.length
        for (const one of batch) one.done()
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
    }
    this.#isWriting = false
  }

  async #writeBatch(bytes: Buffer): Promise<void> {
    const file = await this.#openFile()
    try {
      await file.handle.write(bytes, 0, bytes.length, file.size)
      await file.handle.datasync()
      // Someone who took this process for dead may have moved the folder, and then replays what is in it.
      await stat(file.path)
    } catch (error) {
      this.#file = undefined
      if (file.size > 0) this.#closed.add(file.path)
      // What was written of the batch ends in the middle of an entry, or repeats entries that were refused.
      await file.handle.truncate(file.size).catch(() => undefined)
      await file.handle.close().catch(() => undefined)
      throw error
    }
    file.size += bytes.length
    this.#bytes += bytes.length
    if (file.size >= fileBytesMax) await this.#closeFile()
  }

  async #openFile() {
    if (this.#file !== undefined) return this.#file
    await mkdir(this.#own, { recursive: true })
    await this.beat()
    const name = `${String(this.#options.now()).padStart(15, "0")}-${String(this.#number++).padStart(6, "0")}`
    const path = join(this.#own, `${name}.spool`)
    const handle = await open(path, "wx", 0o600)
    const folder = await open(this.#own)
    await folder.sync().finally(() => folder.close())
    this.#file = { handle, path, size: 0 }
    return this.#file
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    this.#closed.add(file.path)
    await file.handle.close()
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

  /** Takes over the folders of processes that no longer live. */
  async adopt(): Promise<void> {
    for (const name of await foldersIn(this.#options.directory)) {
      const folder = join(this.#options.directory, name)
      if (folder === this.#own || !(await this.#isDead(folder))) continue
      await mkdir(this.#own, { recursive: true })
      await this.beat()
      // A folder inside ours: what another process writes there fails its own check.
      await rename(folder, join(this.#own, name)).catch(() => undefined)
      await this.count()
    }
  }

  async #isDead(folder: string): Promise<boolean> {
    const sign =
      (await stat(join(folder, beatName)).catch(() => undefined)) ??
      (await stat(folder).catch(() => undefined))
    return sign !== undefined && this.#options.now() - sign.mtimeMs > deadMs
  }

  /** The files to replay, oldest first. Closes the one being written. */
  async closed(): Promise<ReadonlyArray<string>> {
    if (this.#file !== undefined) await this.#whenIdle()
    const files = await filesBelow(this.#own)
    return files.filter((path) => dirname(path) !== this.#own || this.#closed.has(path))
  }

  async #whenIdle(): Promise<void> {
    // The batch being written is short; a new one opens a new file.
    while (this.#isWriting) await new Promise((resolve) => setImmediate(resolve))
    await this.#closeFile()
  }

  /** The entries of a file in order. Undefined for one that can't be opened; a cut one at the end is left out. */
  async read(path: string): Promise<ReadonlyArray<Buffer | undefined>> {
    const bytes = await readFile(path)
    const entries: Array<Buffer | undefined> = []
    let at = 0
    while (at + headerLength <= bytes.length) {
      const length = bytes.readUInt32BE(at)
      const end = at + headerLength + length
      if (length > entryBytesMax || end > bytes.length) break
      entries.push(openBytes(this.#options.keys, bytes.subarray(at + headerLength, end)))
      at = end
    }
    return entries
  }

  /** Everything in it was replayed. A folder that was taken over goes with its last file. */
  async delete(path: string): Promise<void> {
    await rm(path, { force: true })
    this.#closed.delete(path)
    const folder = dirname(path)
    const rest = await readdir(folder, { recursive: true }).catch(() => [])
    if (folder !== this.#own && rest.every((name) => name === beatName)) {
      await rm(folder, { recursive: true, force: true })
    }
    await this.count()
  }

  /** Keeps an entry that can't be replayed for the operator. */
  async setAside(entry: Uint8Array): Promise<void> {
    const sealed = sealBytes(this.#options.keys, entry)
    await mkdir(this.#options.directory, { recursive: true })
    const path = join(this.#options.directory, `${randomUUID()}.aside`)
    const handle = await open(path, "wx", 0o600)
    try {
      await handle.write(sealed)
      await handle.datasync()
    } finally {
      await handle.close()
    }
  }

  /** Counts what waits, as after a start or a replay. */
  async count(): Promise<void> {
    let bytes = 0
    let entries = 0
    for (const path of await filesBelow(this.#own)) {
      const { size } = await stat(path).catch(() => ({ size: 0 }))
      bytes += size
      entries += await entriesIn(path)
    }
    this.#bytes = bytes
    this.#entries = entries
  }

  /** Leaves what waits for the next process. */
  async close(): Promise<void> {
    await this.#whenIdle()
  }
}

const foldersIn = async (directory: string): Promise<ReadonlyArray<string>> => {
  const found = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return found.filter((one) => one.isDirectory()).map(({ name }) => name)
}

/** By name, which begins with the time, whatever folder they are in. */
const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> => {
  const found = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return found
    .filter((one) => one.isFile() && one.name.endsWith(".spool"))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((one) => join(one.parentPath, one.name))
}

const entriesIn = async (path: string): Promise<number> => {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0))
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
  let entries = 0
  let bytes = 0
  let setAside = 0
  for (const path of await filesBelow(directory)) {
    const { size } = await stat(path).catch(() => ({ size: 0 }))
    bytes += size
    entries += await entriesIn(path)
  }
  const found = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => [])
  setAside = found.filter((one) => one.isFile() && one.name.endsWith(".aside")).length
  return { entries, bytes, setAside }
}
