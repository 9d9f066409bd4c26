/**
 * Prints the sizes of the built scripts. Fails where one is above its bar, and where one is larger than the last
 * line of the table "Sizes of the script" in docs/explanation/benchmarks.md: a script never grows without a line there that says
 * why. Takes no arguments; build first.
 */
import { readFileSync } from "node:fs"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { features, featureSets, variantName } from "../src/features.ts"

const kilobyte = 1_024

/** After gzip. spec 6.1.4. Units: bytes. */
const bars: Readonly<Record<string, number>> = {
  core: Math.floor(2.7 * kilobyte),
  "every part": Math.floor(4 * kilobyte),
}

/** The columns of the table, by the names of the scripts. */
const columns: Readonly<Record<string, string>> = {
  core: variantName([]),
  // What a pixel gets whose settings were never touched.
  "default settings": variantName(["consent"]),
  "every part": variantName(features),
}
const largest = "largest of all"

const sizes = new Map<string, number>()
for (const name of featureSets.map((chosen) => variantName(chosen))) {
  const script = readFileSync(new URL(`../dist/variants/${name}.js`, import.meta.url))
  const gzip = gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length
  const brotli = brotliCompressSync(script).length
  sizes.set(name, gzip)
  console.log(`${name.padEnd(34)} ${script.length} bytes, ${gzip} gzip, ${brotli} brotli`)
}

/** The last line of the table, by its columns. */
const written = (): Readonly<Record<string, number>> => {
  const page = readFileSync(
    new URL("../../../docs/explanation/benchmarks.md", import.meta.url),
    "utf8",
  )
  const section = page.split("### Sizes of the script\n")[1]?.split("\n#")[0] ?? ""
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim().toLowerCase()))
  const [head = [], ...lines] = rows
  const last = lines.at(-1) ?? []
  return Object.fromEntries(head.map((name, at) => [name, Number(last[at]?.replaceAll(",", ""))]))
}

const measured: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    Object.entries(columns).map(([column, name]) => [column, sizes.get(name) ?? Number.NaN]),
  ),
  [largest]: Math.max(...sizes.values()),
}
const before = written()
console.log()
for (const [column, gzip] of Object.entries(measured)) {
  const bar = bars[column]
  const reached = before[column] ?? Number.NaN
  const faults = [
    ...(bar !== undefined && !(gzip <= bar) ? [`${gzip - bar} ABOVE ITS BAR`] : []),
    ...(gzip <= reached
      ? []
      : [
          `LARGER than the ${reached} of docs/explanation/benchmarks.md: add a line there that says why`,
        ]),
  ]
  const note = bar === undefined ? [] : [`at most ${bar}`]
  console.log([`${column}: ${gzip} gzip`, ...note, ...faults].join(", "))
  if (faults.length > 0) process.exitCode = 1
}
