/**
 * Prints the sizes of the built scripts and fails above the budgets: 3 KB gzip with every feature
 * (decisions.md 6.1), 2.2 KB without any. Takes no arguments; build first.
 */
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { features, featureSets, variantName } from "../src/features.ts"

/** Most bytes of a script after gzip, by the features in it. */
const budgets: { readonly [name: string]: number } = {
  [variantName(features)]: 3072,
  [variantName([])]: 2252,
}
/** What a pixel gets whose settings were never touched. */
const byDefault = variantName(["consent"])

for (const name of featureSets.map((chosen) => variantName(chosen))) {
  const script = readFileSync(new URL(`../dist/variants/${name}.js`, import.meta.url))
  const gzip = gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length
  const brotli = brotliCompressSync(script).length
  const budget = budgets[name]
  const notes = [
    ...(name === byDefault ? ["the default"] : []),
    ...(budget === undefined ? [] : [`at most ${budget}`]),
    ...(budget !== undefined && gzip > budget ? [`${gzip - budget} TOO MANY`] : []),
  ]
  console.log(
    `${name.padEnd(28)} ${script.length} bytes, ${gzip} gzip, ${brotli} brotli${notes.map((note) => `, ${note}`).join("")}`,
  )
  if (budget !== undefined && gzip > budget) process.exitCode = 1
}
