// Strangers choose most texts that the packages read, so no expression may take time that grows with the square of a
// text's length: at 200,000 characters such an expression takes a minute, and any other a few milliseconds.
import { parseSync } from "@swc/core"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { expect, it } from "vitest"
import type { Expression, Work } from "./regular-expressions-worker.ts"

const packages = join(import.meta.dirname, "../../..")

/** Every expression written in the sources of what we publish. */
const expressionsInSources = (): ReadonlyArray<Expression> => {
  const found = new Map<string, Expression>()
  const files = globSync("{server,cli,sdk,normal-form,agent-tools}/{src,bin}/**/*.{ts,tsx,js}", {
    cwd: packages,
  }).filter((file) => !/\.test\./.test(file))
  for (const file of files) {
    const text = readFileSync(join(packages, file), "utf8")
    for (const { flags, pattern } of literalsIn(
      parseSync(text, { syntax: "typescript", tsx: file.endsWith("x") }),
    )) {
      found.set(`/${pattern}/${flags}`, { file, pattern, flags })
    }
  }
  return [...found.values()]
}

const literalsIn = (node: unknown): ReadonlyArray<Omit<Expression, "file">> => {
  if (typeof node !== "object" || node === null) return []
  const { flags, pattern, type } = node as Record<string, unknown>
  return type === "RegExpLiteral"
    ? [{ pattern: String(pattern), flags: String(flags) }]
    : Object.values(node).flatMap(literalsIn)
}

/** How long one text may keep the thread. On an idle machine it takes 2 ms. */
const patienceMs = 15_000

/** Runs a thread until it ends or stands still. Resolves to the expression at which it stood still. */
const run = (work: Work, patience: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./regular-expressions-worker.ts", import.meta.url), {
      workerData: work,
    })
    let texts = -1
    let since = 0
    const end = (at: number | undefined) => {
      clearInterval(looking)
      void worker.terminate().then(() => resolve(at))
    }
    const looking = setInterval(() => {
      const now = Atomics.load(work.at, 1)
      since = now === texts ? since + 100 : 0
      texts = now
      if (since > patience) end(Atomics.load(work.at, 0))
    }, 100)
    worker.once("message", () => end(undefined))
    worker.once("error", reject)
  })

const slowOnes = async (
  expressions: ReadonlyArray<Expression>,
  patience: number,
): Promise<ReadonlyArray<string>> => {
  const slow: Array<string> = []
  for (let from = 0; from < expressions.length;) {
    const at = new Int32Array(new SharedArrayBuffer(8))
    const stuck = await run({ expressions, from, at }, patience)
    if (stuck === undefined) break
    const { file, flags, pattern } = expressions[stuck]!
    slow.push(`${file}: /${pattern}/${flags}`)
    from = stuck + 1
  }
  return slow
}

it("no regular expression takes quadratic time over 200,000 repeated characters", async () => {
  const expressions = expressionsInSources()

  expect(expressions.length).toBeGreaterThan(250)
  expect(await slowOnes(expressions, patienceMs)).toEqual([])
})

it("the hostile texts find an expression that is quadratic at its start or after one", async () => {
  const quadratic = [
    { pattern: "[.!?]+(?=\\s|$)", flags: "" },
    { pattern: "name\\s*=\\s*[\"']?\\s*(\\w+)", flags: "i" },
    { pattern: "<link\\s[^>]*rel=", flags: "" },
  ].map((one) => ({ ...one, file: "a file" }))

  expect(await slowOnes(quadratic, 2_000)).toHaveLength(quadratic.length)
})
