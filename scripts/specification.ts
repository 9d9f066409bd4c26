// Checks docs/specification: every number is defined once and in order, every rule has an anchor with its number, and
// every citation in the repository (`spec 5.10`, `spec 2.6.14`) resolves. Prints problems and exits with 1. With
// `--write` it first adds missing anchors. It also checks the built declarations.
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { declarationFaults } from "./declarations.ts"

const folder = "docs/specification"
const rule = /^- (?:<a id="([\d.]+)"><\/a>)?\*\*([\d.]+)\*\*/
const heading = /^#{1,2} (\d+(?:\.\d+)?)\.? \S/
const number = String.raw`\d+(?:\.\d+){0,2}`
/** `spec 5.10`, `spec 2.5, 2.6 and 8.5.3`. */
const citation = new RegExp(
  String.raw`\bspec (${number}(?:(?:, | and | or |, and | to )${number})*)`,
  "g",
)
/** A reference inside the specification: `(5.10)`, `of 2.9`, `as in 6.4`. */
const reference = new RegExp(
  String.raw`(?:\(|\bof |\bin |\bas |\brule of )(\d+\.\d+(?:\.\d+)?)(?=[\s),.;:|]|$)`,
  "g",
)
/** The start of a comment line, so that a citation across two lines is read as one. */
const nextLine = /\n[ \t]*(?:\/\/|\*|#|--)?[ \t]*/g

const faults: Array<string> = []
const chapters = readdirSync(folder)
  .filter((name) => /^\d/.test(name))
  .toSorted()

const writeAnchors = () => {
  for (const name of chapters) {
    const path = join(folder, name)
    const lines = readFileSync(path, "utf8").split("\n")
    const anchored = lines.map((line) =>
      line.replace(/^- \*\*([\d.]+)\*\*/, '- <a id="$1"></a>**$1**'),
    )
    writeFileSync(path, anchored.join("\n"))
  }
}

const isAfter = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((text) => text.split(".").map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? -1) - (right?.[index] ?? -1)
    if (difference !== 0) return difference > 0
  }
  return false
}

const definedNumbers = (): ReadonlySet<string> => {
  const defined = new Set<string>()
  for (const name of chapters) {
    let last = "0"
    for (const [index, line] of readFileSync(join(folder, name), "utf8").split("\n").entries()) {
      const at = `${folder}/${name}:${index + 1}`
      const item = rule.exec(line)
      const found = item?.[2] ?? heading.exec(line)?.[1]
      if (found === undefined) continue
      if (item !== null && item[1] !== found)
        faults.push(`${at}: rule ${found} has no anchor of its number`)
      if (!isAfter(found, last)) faults.push(`${at}: ${found} comes after ${last}`)
      if (defined.has(found)) faults.push(`${at}: ${found} is defined twice`)
      defined.add(found)
      last = found
    }
  }
  return defined
}

const resolve = (defined: ReadonlySet<string>, path: string, text: string, pattern: RegExp) => {
  for (const match of text.replaceAll(nextLine, " ").matchAll(pattern)) {
    for (const [cited] of match[1]!.matchAll(new RegExp(number, "g"))) {
      if (!defined.has(cited))
        faults.push(`${path}: cites spec ${cited}, which is not in ${folder}`)
    }
  }
}

if (process.argv.includes("--write")) writeAnchors()
const defined = definedNumbers()
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (path) =>
      /\.(?:ts|tsx|js|mjs|md|sql|yml|yaml|json)$/.test(path) && path !== "package-lock.json",
  )
for (const path of files) {
  const inside = path.startsWith(`${folder}/`)
  if (inside && path.endsWith("12-examples.md")) continue
  const text = readFileSync(path, "utf8")
  resolve(defined, path, text, citation)
  if (inside && !path.endsWith("README.md")) resolve(defined, path, text, reference)
}

faults.push(...declarationFaults("packages"))

for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log(`${defined.size} numbers in ${folder}, every citation resolves`)
