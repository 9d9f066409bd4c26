/**
 * Writes made-up intent data for trials and measurements: `topics.csv`, `people.csv` and `signals.csv`,
 * as `footfall-server import` reads them. The same arguments always give the same files; memory grows
 * by 32 bytes a person.
 *
 *     npm run generate -- --people 20000 --signals 300000 --out data
 */
import { createWriteStream } from "node:fs"
import { mkdir, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { parseArgs } from "node:util"
import { peopleLines, signalLines } from "../src/app/demo/generate/csv.ts"
import { emailAt } from "../src/app/demo/generate/person.ts"
import { catalogOf, topicLines } from "../src/app/demo/generate/topics.ts"

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "20000" },
    signals: { type: "string", default: "300000" },
    topics: { type: "string", default: "438" },
    days: { type: "string", default: "30" },
    "last-date": { type: "string", default: new Date().toISOString().slice(0, 10) },
    seed: { type: "string", default: "4100" },
    out: { type: "string", default: "generated" },
  },
})

const count = (name: "people" | "signals" | "topics" | "days" | "seed"): number => {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= 1) return number
  console.error(`--${name}: expected a whole number from 1, received ${values[name]}.`)
  process.exit(2)
}

const lastDate = values["last-date"]
if (!/^\d{4}-\d{2}-\d{2}$/.test(lastDate) || Number.isNaN(Date.parse(lastDate))) {
  console.error(`--last-date: expected a date like 2026-03-10, received ${lastDate}.`)
  process.exit(2)
}

const linesPerPiece = 2_000

/** Lines in pieces, because a write for each would cost more than making it. */
function* pieces(lines: Iterable<string>): Iterable<string> {
  let piece: Array<string> = []
  for (const line of lines) {
    piece.push(line)
    if (piece.length < linesPerPiece) continue
    yield `${piece.join("\n")}\n`
    piece = []
  }
  if (piece.length > 0) yield `${piece.join("\n")}\n`
}

/** Whole or not at all. */
const write = async (name: string, lines: Iterable<string>): Promise<void> => {
  const file = join(values.out, name)
  await pipeline(Readable.from(pieces(lines)), createWriteStream(`${file}.new`))
  await rename(`${file}.new`, file)
  console.log(file)
}

const catalog = await readFile(new URL("../assets/topics.csv", import.meta.url), "utf8")
const topics = catalogOf(catalog, count("topics"))
const peopleCount = count("people")
const seed = count("seed")

await mkdir(values.out, { recursive: true })
await write("topics.csv", topicLines(topics))
await write("people.csv", peopleLines({ peopleCount, seed }))
await write(
  "signals.csv",
  signalLines({
    topics,
    peopleCount,
    signalsCount: count("signals"),
    daysCount: count("days"),
    seed,
    lastDate,
    emailOf: (number) => emailAt(number, seed),
  }),
)
