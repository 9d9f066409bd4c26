/** Bytes of a script on the wire: gzip at level 9, brotli at 11. */
import { brotliCompressSync, gzipSync } from "node:zlib"

export interface Size {
  readonly raw: number
  readonly gzip: number
  readonly brotli: number
}

export const sizeOf = (script: string): Size => {
  const bytes = Buffer.from(script)
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }
}
