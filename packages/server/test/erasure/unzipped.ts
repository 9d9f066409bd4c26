// Reads a ZIP file by its directory, as other programs do.
import { crc32, inflateRawSync } from "node:zlib"

/** The texts of the files, by name. Throws if a checksum or a size is wrong. */
export const unzipped = (file: Buffer): ReadonlyMap<string, string> => {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  const files = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [crc, compressed, size] = [16, 20, 24].map((place) => file.readUInt32LE(at + place))
    const nameLength = file.readUInt16LE(at + 28)
    const local = file.readUInt32LE(at + 42)
    const name = file.toString("utf8", at + 46, at + 46 + nameLength)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const content = inflateRawSync(file.subarray(start, start + compressed!))
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is damaged.`)
    files.set(name, content.toString("utf8"))
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return files
}
