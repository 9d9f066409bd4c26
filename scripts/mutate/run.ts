// The run itself, inside the copy made by mutate.ts. All faults share one vitest, so that its Postgres starts once.
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createVitest, type Vitest } from "vitest/node"
import type { Fault } from "./fault.ts"
import { faults } from "./faults.ts"

/** Percentage of planted faults that tests must catch. */
const scoreMin = 95
const testTimeout = 90_000

type Outcome = "caught" | "survived" | "no longer applies"

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}

const only = option("--only")?.split(",") ?? [""]
const chosen = faults.filter(({ file, tests }) =>
  only.some((text) => [file, ...tests].some((path) => path.includes(text))),
)

/** `packages/server/src/platform/lists/cursor.ts` belongs to `server/http`. */
const roomOf = ({ file }: Fault): string => {
  const [, name = "", , room = ""] = file.split("/")
  return name === "server" ? `${name}/${room.replace(/\.ts$/, "")}` : name
}

const runTests = async (
  vitest: Vitest,
  { named, tests }: Pick<Fault, "named" | "tests">,
): Promise<"passed" | "failed"> => {
  const specifications = (await vitest.globTestSpecifications([...tests])).filter(({ moduleId }) =>
    tests.some((test) => moduleId.endsWith(`/${test}`)),
  )
  if (specifications.length !== tests.length)
    throw new Error(`Not every test file was found: ${tests.join(", ")}`)
  if (named === undefined) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(named)
  // `bail` also counts failures of earlier runs.
  vitest.state.filesMap.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const ran = testModules.flatMap((module) => [...module.children.allTests()])
  const states = new Set(ran.map((test) => test.result().state))
  const isBroken = testModules.some((module) => module.state() === "failed")
  if (isBroken || unhandledErrors.length > 0 || states.has("failed")) return "failed"
  // A run without tests proves nothing.
  if (!states.has("passed")) throw new Error(`No test was run of ${tests.join(", ")}`)
  return "passed"
}

/** Builds the programs and the script from the current sources. A fault that breaks the build counts as caught. */
const build = ({ file, isBuilt }: Fault): boolean => {
  if (file.startsWith("packages/pixel/")) {
    const code = `import("./packages/pixel/test/support/build.ts").then((m) => m.default())`
    return spawnSync(process.execPath, ["-e", code], { stdio: "ignore" }).status === 0
  }
  if (isBuilt !== true) return true
  return spawnSync(process.execPath, ["scripts/build.ts"], { stdio: "ignore" }).status === 0
}

const plant = async (vitest: Vitest, fault: Fault): Promise<Outcome> => {
  const path = join(process.cwd(), fault.file)
  const text = readFileSync(path, "utf8")
  if (text.split(fault.find).length !== 2) return "no longer applies"
  writeFileSync(
    path,
    text.replace(fault.find, () => fault.replace),
  )
  vitest.invalidateFile(path)
  try {
    if (!build(fault)) return "caught"
    return (await runTests(vitest, fault)) === "failed" ? "caught" : "survived"
  } finally {
    writeFileSync(path, text)
    vitest.invalidateFile(path)
    build(fault)
  }
}

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(0)} s`

const outcomes = new Map<Fault, Outcome>()

/** Groups faults with the same tests. Those tests run once without a fault first. */
const groups = (faults: ReadonlyArray<Fault>): ReadonlyArray<ReadonlyArray<Fault>> => [
  ...Map.groupBy(faults, ({ named, tests }) => JSON.stringify([tests, named])).values(),
]

const table = (): void => {
  const rooms = [...new Set(chosen.map(roomOf))].toSorted()
  const rows = rooms.map((room) => {
    const done = [...outcomes].filter(([fault]) => roomOf(fault) === room)
    const count = (outcome: Outcome) => done.filter(([, each]) => each === outcome).length
    return [room, done.length, count("caught"), count("survived")]
  })
  console.log("\n| Room | Faults | Caught | Survived |\n| --- | --- | --- | --- |")
  for (const row of rows) console.log(`| ${row.join(" | ")} |`)
}

const main = async (): Promise<void> => {
  if (process.argv.includes("--list")) {
    for (const room of new Set(chosen.map(roomOf)))
      console.log(`${room}: ${chosen.filter((fault) => roomOf(fault) === room).length}`)
    console.log(`${chosen.length} faults`)
    return
  }
  const vitest = await createVitest("test", {
    watch: false,
    reporters: [{}],
    silent: true,
    bail: 1,
    maxWorkers: 1,
    testTimeout,
  })
  let isGood = true
  try {
    const started = Date.now()
    for (const group of groups(chosen)) {
      const [first] = group
      if (first === undefined || (await runTests(vitest, first)) === "failed") {
        console.log(`WITHOUT A FAULT tests fail: ${first?.tests.join(", ")} ${first?.named ?? ""}`)
        isGood = false
        continue
      }
      for (const fault of group) {
        const begun = Date.now()
        const outcome = await plant(vitest, fault)
        outcomes.set(fault, outcome)
        console.log(`${outcome.padEnd(9)} ${fault.file}: ${fault.bug} (${seconds(begun)})`)
      }
    }
    const all = [...outcomes.values()]
    const caught = all.filter((outcome) => outcome === "caught").length
    const stale = all.filter((outcome) => outcome === "no longer applies").length
    const score = (100 * caught) / all.length
    table()
    console.log(
      `\nScore: ${caught} of ${all.length} caught, ${score.toFixed(1)} % (${seconds(started)})`,
    )
    if (stale > 0) console.log(`${stale} no longer apply: correct the lists in scripts/mutate`)
    if (stale > 0 || !(score >= scoreMin)) isGood = false
  } finally {
    await vitest.close()
  }
  // vitest has set it to 1, because tests failed as they should.
  process.exitCode = isGood ? 0 : 1
}

await main()
