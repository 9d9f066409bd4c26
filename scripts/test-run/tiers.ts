// Which tests `npm test` runs, and which only `npm run test:all`. A file's tier follows from the programs that it or its
// helpers start, so no list has to be kept: a new file that starts a browser or packs a package can't become one of the
// fast ones. The command line's tests start nothing but the command line and are fast.
import { globSync } from "node:fs"
import { join } from "node:path"
import { reaches } from "./imports.ts"

/** Importing types starts nothing. */
const importOf = (modules: string): RegExp =>
  new RegExp(
    String.raw`\b(?:import|export|require)\b(?!\s+type\b)[^"']*["'](?:node:)?(?:${modules})["']`,
  )

const drivesBrowser = reaches(importOf("(?:playwright|puppeteer)(?:-core)?"))
const needsProgram = reaches(/\bneeds\("/)
const startsPrograms = reaches(
  importOf(String.raw`child_process|execa|tinyexec|cross-spawn|\S+/stdio(?:\.js)?`),
)

/** A file belongs to the first tier that it fits. */
const tiers = {
  browsers: drivesBrowser,
  packaging: (path) => /packaging|packed/.test(path) && startsPrograms(path),
  guides: (path) => /\/docs\/|guide/.test(path) && startsPrograms(path),
  examples: (path) => path.includes("/test/examples/"),
  kills: (path) => /\/test\/(crash|soak)\//.test(path),
  processes: (path) =>
    needsProgram(path) || (!path.includes("/packages/cli/") && startsPrograms(path)),
  fast: () => true,
} satisfies Readonly<Record<string, (path: string) => boolean>>

export type Tier = keyof typeof tiers

export const tierNames = Object.keys(tiers) as ReadonlyArray<Tier>

/** Names the tiers of a run, separated by commas. */
export const tiersVariable = "TEST_TIERS"

/** All tiers, unless the run names some: whoever names a file to vitest wants it to run. */
export const tiersOfRun = (): ReadonlyArray<Tier> => {
  const named = process.env[tiersVariable]?.split(",")
  const unknown = named?.find((name) => !tierNames.some((tier) => tier === name))
  if (unknown !== undefined)
    throw new Error(
      `${tiersVariable}: no tier is named ${unknown}. There are ${tierNames.join(", ")}.`,
    )
  return tierNames.filter((tier) => named?.includes(tier) ?? true)
}

/** The tier of a test file, by its absolute path. */
export const tierOf = (path: string): Tier => tierNames.find((name) => tiers[name](path))!

/** Every test file of a package, by its absolute path. */
export const testFilesOf = (packageFolder: string): ReadonlyArray<string> =>
  globSync("{src,test}/**/*.test.{ts,tsx}", { cwd: packageFolder }).map((path) =>
    join(packageFolder, path),
  )
