/**
 * Prints the size of the built script and fails above the budget of decisions.md 6.1: 3 KB gzip with
 * every option on. Takes no arguments; build first.
 */
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const GZIP_BYTES_MAX = 3072

const script = readFileSync(new URL("../dist/footfall.js", import.meta.url))
const gzipBytes = gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length
const brotliBytes = brotliCompressSync(script).length

console.log(
  `footfall.js: ${script.length} bytes, ${gzipBytes} gzip (at most ${GZIP_BYTES_MAX}), ${brotliBytes} brotli`,
)
if (gzipBytes > GZIP_BYTES_MAX) process.exitCode = 1
