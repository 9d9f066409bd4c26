// Rejects words that make English read like a translation (CONTRIBUTING.md, "Language"), and names of notes that are
// not in the repository. In sources it also rejects long headers, and dates of measurements in comments. Prints each
// place and exits with 1. It checks each line as it is, so files that quote bad examples are listed below.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** Each pattern with what to write instead. */
const refused: ReadonlyArray<readonly [RegExp, string]> = [
  [/\banew\b/i, "again"],
  [/catalogue/i, "catalog"],
  [/\bin vain\b/i, "say what failed"],
  [/\btold of\b/i, "sent, notified, listed"],
  [/\btells? of\b/i, "send, report, describe"],
  // In quotes or an address it is a name.
  [/(?<![`"'/=-])\bnobody\b(?!@)/i, "no one, or name the actor"],
  [/\b(?:some|any|every)body\b/i, "someone, anyone, everyone"],
  [/\bwhat there is\b/i, "name the things"],
  [/\b(?:gone|goes|go|going) on with\b/i, "resume, continue"],
  [/\bof whom\b/i, "whose"],
  [/\bthere (?:is|are) no such\b/i, "not found"],
  [/\bnot together with\b/i, "cannot be combined with"],
  [/\bexcludes? each other\b/i, "cannot be combined"],
  [/\bof yours\b/i, "your"],
  [/\bat present\b/i, "now"],
  [/\bcome to once more\b/i, "retry"],
  [/\bwho of them\b/i, "which of them"],
  [/\bstands? for\b/i, "mean, represent, replace"],
  [/\b(?:never|not|were|was) come to\b/i, "not reached"],
  [/\b(?:comes?|came) of it\b/i, "the result"],
  [/\ball the same\b/i, "still, anyway"],
  [/\b(?:that|what) is none\b/i, "invalid, unknown"],
  [/\bunless told\b/i, "by default"],
  [/\b(?:is|are|was|were|be|been) told\b(?! apart)/i, "sent, reported, returned"],
]

/** Notes that a reader of the repository doesn't have. */
const outside =
  /(?<![\w/(])(?:architecture|performance|decisions|service|additions|style|stack)\.md|\breliability\.md [A-Z]?\d/

const isSource = (file: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)

/** More belongs beside the code, or into a decision record. */
const headerLinesMax = 4

/** Of comments. The benchmarks say when and where something was measured. */
const measured =
  /(?:\/\/|^\s*\/?\*).*(?:\b(?:shared|busy) cores\b|\bNode \d+, |\bNovember 20\d\d\b)/

const headerFaults = (file: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const length = lines.findIndex((line) => !line.startsWith("//"))
  return length > headerLinesMax
    ? [`${file}:1: a header of ${length} lines: ${headerLinesMax} at most`]
    : []
}

/** Generated files, files never edited after a release (migrations), and files with bad examples on purpose. */
const exempt =
  /^(?:packages\/server\/src\/platform\/database\/migrations\/.*|docs\/reference\/cli\.md|docs\/contributing\/language\.md|scripts\/(?:prose|declarations)\.ts|packages\/server\/test\/packaging\/declarations\.test\.ts|.*CHANGELOG\.md|\.changeset\/.*)$/

const files = execFileSync("git", ["ls-files"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:md|tsx?)$/.test(file) && !exempt.test(file))

/** Removes code blocks from a page. They quote programs, which are checked at their source. */
const proseOf = (file: string): string => {
  const text = readFileSync(file, "utf8")
  const blocks = /^```[^\n]*\n[\s\S]*?^```/gm
  return file.endsWith(".md")
    ? text.replace(blocks, (block) => block.replaceAll(/[^\n]/g, ""))
    : text
}

const faults = files.flatMap((file) => {
  const lines = proseOf(file).split("\n")
  const long = isSource(file) ? headerFaults(file, lines) : []
  const worded = lines.flatMap((line, index) => {
    const at = `${file}:${index + 1}`
    const cited = outside.exec(line)
    const notes = cited === null ? [] : [`${at}: ${cited[0]} is not in the repository`]
    const words = refused.flatMap(([pattern, instead]) => {
      const found = pattern.exec(line)
      return found === null ? [] : [`${at}: "${found[0]}": ${instead}`]
    })
    const figures =
      isSource(file) && measured.test(line)
        ? [`${at}: a measurement belongs in docs/explanation/benchmarks.md`]
        : []
    return [...notes, ...words, ...figures]
  })
  return [...long, ...worded]
})

if (faults.length > 0) {
  console.error(faults.join("\n"))
  process.exitCode = 1
} else {
  console.log(`${files.length} files in plain words`)
}
