/**
 * Prints the sizes of the built scripts and fails where one of the measured has grown. Takes no
 * arguments; build first.
 */
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { features, featureSets, variantName } from "../src/features.ts"

interface Bar {
  /** Most bytes after gzip. */
  readonly budget?: number
  /** A ratchet: the bytes reached so far. */
  readonly reached: number
}

/** What a pixel gets whose settings were never touched. */
const byDefault = variantName(["consent"])

/**
 * By the features of a script: 3.7 KB with every feature and 2.7 KB without any (spec 6.1.4). A script
 * that grows raises its `reached` here and gets a line in docs/benchmarks.md.
 */
const bars: { readonly [name: string]: Bar } = {
  [variantName(features)]: { budget: 3788, reached: 3705 },
  [variantName([])]: { budget: 2764, reached: 2638 },
  [byDefault]: { reached: 3165 },
}

const noteOf = ({ budget, reached }: Bar, gzip: number): string =>
  (budget === undefined ? "" : `, at most ${budget}`) +
  (budget !== undefined && gzip > budget ? `, BELOW this bar by ${gzip - budget}` : "") +
  (gzip > reached ? `, ${gzip - reached} MORE THAN BEFORE` : "")

for (const name of featureSets.map((chosen) => variantName(chosen))) {
  const script = readFileSync(new URL(`../dist/variants/${name}.js`, import.meta.url))
  const gzip = gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length
  const brotli = brotliCompressSync(script).length
  const bar = bars[name]
  console.log(
    `${name.padEnd(28)} ${script.length} bytes, ${gzip} gzip, ${brotli} brotli` +
      (name === byDefault ? ", the default" : "") +
      (bar ? noteOf(bar, gzip) : ""),
  )
  if (bar && gzip > bar.reached) process.exitCode = 1
}
