// Writes a ZIP file (APPNOTE 6.3, deflated, without ZIP64), a piece at a time, so that only what is compressed is in memory.
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib"

/** The format counts bytes in 32 bits; this is far below. */
const bytesMax = 512 * 1024 * 1024

/** 1 January 1980, the earliest time that the format knows: the file says nothing about when it was made. */
const noTime = 0
const noDate = 0x21

/** Names are UTF-8, and sizes follow the content. */
const flags = 0x0808
const deflated = 8
const version = 20

export class ZipTooLarge extends Error {
  override readonly name = "ZipTooLarge"
}

interface Entry {
  readonly name: Buffer
  readonly offset: number
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

export class ZipWriter {
  readonly #pieces: Array<Buffer> = []
  readonly #entries: Array<Entry> = []
  #bytes = 0

  /** Begins a file. End it before the next one begins. */
  file(name: string): ZipFile {
    const bytes = Buffer.from(name)
    const offset = this.#bytes
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(version, 4)
    header.writeUInt16LE(flags, 6)
    header.writeUInt16LE(deflated, 8)
    header.writeUInt16LE(noTime, 10)
    header.writeUInt16LE(noDate, 12)
    header.writeUInt16LE(bytes.length, 26)
    this.#add(header, bytes)
    return new ZipFile(
      (piece) => this.#add(piece),
      ({ compressed, crc, size }) => {
        const sizes = Buffer.alloc(16)
        sizes.writeUInt32LE(0x08074b50, 0)
        sizes.writeUInt32LE(crc, 4)
        sizes.writeUInt32LE(compressed, 8)
        sizes.writeUInt32LE(size, 12)
        this.#add(sizes)
        this.#entries.push({ name: bytes, offset, crc, compressed, size })
      },
    )
  }

  /** The whole file. */
  end(): Buffer {
    const start = this.#bytes
    for (const { compressed, crc, name, offset, size } of this.#entries) {
      const header = Buffer.alloc(46)
      header.writeUInt32LE(0x02014b50, 0)
      header.writeUInt16LE(version, 4)
      header.writeUInt16LE(version, 6)
      header.writeUInt16LE(flags, 8)
      header.writeUInt16LE(deflated, 10)
      header.writeUInt16LE(noTime, 12)
      header.writeUInt16LE(noDate, 14)
      header.writeUInt32LE(crc, 16)
      header.writeUInt32LE(compressed, 20)
      header.writeUInt32LE(size, 24)
      header.writeUInt16LE(name.length, 28)
      header.writeUInt32LE(offset, 42)
      this.#add(header, name)
    }
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(this.#entries.length, 8)
    end.writeUInt16LE(this.#entries.length, 10)
    end.writeUInt32LE(this.#bytes - start, 12)
    end.writeUInt32LE(start, 16)
    this.#add(end)
    return Buffer.concat(this.#pieces)
  }

  #add(...pieces: ReadonlyArray<Buffer>): void {
    for (const piece of pieces) {
      this.#bytes += piece.length
      if (this.#bytes > bytesMax) throw new ZipTooLarge(`The file has more than ${bytesMax} bytes.`)
      this.#pieces.push(piece)
    }
  }
}

/** Of a written file: checksum and sizes before and after compression. */
type Written = Omit<Entry, "name" | "offset">

class ZipFile {
  readonly #deflate: DeflateRaw = createDeflateRaw()
  readonly #ended: Promise<void>
  readonly #done: (written: Written) => void
  #crc = 0
  #size = 0
  #compressed = 0

  constructor(add: (piece: Buffer) => void, done: (written: Written) => void) {
    this.#done = done
    this.#ended = new Promise((resolve, reject) => {
      this.#deflate
        .on("data", (piece: Buffer) => {
          this.#compressed += piece.length
          try {
            add(piece)
          } catch (error) {
            this.#deflate.destroy(error as Error)
          }
        })
        .on("end", resolve)
        .on("error", reject)
    })
    // Whoever ends the file learns of it.
    this.#ended.catch(() => undefined)
  }

  /** Errors: ZipTooLarge. */
  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    this.#crc = crc32(bytes, this.#crc)
    this.#size += bytes.length
    if (this.#deflate.write(bytes)) return
    await Promise.race([
      this.#ended,
      new Promise<void>((resolve) => this.#deflate.once("drain", resolve)),
    ])
  }

  /** Errors: ZipTooLarge. */
  async end(): Promise<void> {
    this.#deflate.end()
    await this.#ended
    this.#done({ crc: this.#crc, size: this.#size, compressed: this.#compressed })
  }
}
