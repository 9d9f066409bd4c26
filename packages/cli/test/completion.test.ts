// The scripts of `footfall completion`, asked by a real shell as it would ask on TAB. Bash is everywhere the
// tests run; zsh and fish are asked where they are installed, and read for what they must hold elsewhere.

import { spawnSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { configDirectory, footfall, footfallPath, isolated } from "./fixtures/footfall.ts"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"

const folder = temporaryFolder("completion")
const configured = configDirectory()
const shells = ["bash", "zsh", "fish"] as const
const scripts = new Map<string, string>()

beforeAll(async () => {
  symlinkSync(footfallPath, join(folder, "footfall"))
  const profile = { baseUrl: "http://127.0.0.1:9" }
  const profiles = { local: profile, "lab.2": profile, production: profile }
  writeFileSync(join(configured, "config.json"), JSON.stringify({ current: "local", profiles }), {
    mode: 0o600,
  })
  for (const shell of shells) {
    const { stdout } = await footfall(["completion", shell])
    scripts.set(shell, stdout)
    writeFileSync(join(folder, shell), stdout)
  }
})

const environment = (): NodeJS.ProcessEnv => ({
  ...isolated({ FOOTFALL_CONFIG_DIR: configured }),
  PATH: [folder, join(process.execPath, ".."), process.env["PATH"]].join(delimiter),
})

/** What bash offers after these words, the last of which is being typed. */
const offeredByBash = (...words: ReadonlyArray<string>): string => {
  const ask =
    'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _footfall; echo "${COMPREPLY[*]}"'
  const { stdout, stderr } = spawnSync(
    "bash",
    ["--norc", "-c", ask, join(folder, "bash"), "footfall", ...words],
    { env: environment(), encoding: "utf8" },
  )
  expect(stderr).toBe("")
  return stdout.trim()
}

test.each([
  [["vis"], "visitors"],
  [["visitors", ""], "list get query sessions export erase"],
  [["integrations", "accounts", "c"], "create check"],
  [["visitors", "list", "--out"], "--output"],
  [["visitors", "list", "--output", ""], "table json ndjson csv"],
  [["visitors", "list", "--output", "=", "js"], "json"],
  [["visitors", "list", "--timeframe", "2"], "24h"],
  [["completion", "z"], "zsh"],
  // The value of an option is no command.
  [["--profile", "visitors", "pixels", "v"], "verify"],
  // Nothing is known, so that bash goes on with files.
  [["visitors", "list", "--limit", ""], ""],
  [["import", "topics", ""], ""],
])("bash offers after `footfall %j`: %s", (words, offered) => {
  expect(offeredByBash(...words)).toBe(offered)
})

test.each([[["visitors", "list", "--profile", "l"]], [["--profile", "=", "l"]]])(
  "bash offers the profiles of this computer after `footfall %j`",
  (words) => {
    expect(offeredByBash(...words)).toBe("local lab.2")
  },
)

test.each(shells)("the script of %s holds every command and every option", async (shell) => {
  const { stdout } = await footfall(["visitors", "list", "--help"])

  for (const [option] of stdout.matchAll(/--[a-z][a-z-]+/g)) {
    expect(scripts.get(shell)).toContain(option)
  }
  await expect(pathsOf(scripts.get(shell) ?? "")).toMatchFileSnapshot("fixtures/commands.txt")
})

/** The commands that have none of their own, in the form of the list of commands. */
const pathsOf = (script: string): string => {
  const paths = [
    ...script.matchAll(/^ +(?:case )?'([a-z][a-z-]*(?: [a-z][a-z-]*)*)'(?=\)|$)/gm),
  ].map(([, path = ""]) => path)
  const isGroup = (path: string) => paths.some((other) => other.startsWith(`${path} `))
  return `${paths.filter((path) => !isGroup(path)).join("\n")}\n`
}

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0
for (const shell of ["fish", "zsh"]) {
  if (!has(shell)) console.warn(`NOT TESTED: completion in ${shell}. Install ${shell} to test it.`)
}

test.skipIf(!has("fish")).each([
  ["footfall vis", "visitors\tthe people who were identified on your sites"],
  ["footfall integrations accounts ch", "check\tcheck with the provider that the account works"],
  ["footfall visitors list --output j", "json"],
  ["footfall visitors list --output=j", "--output=json"],
  ["footfall --profile visitors pixels v", "verify\tfind out why a pixel hears nothing"],
  ["footfall --profile lo", "local"],
])("fish offers after `%s`: %s", (line, offered) => {
  const ask = `source ${join(folder, "fish")}; complete -C '${line}'`
  const { stdout } = spawnSync("fish", ["--no-config", "-c", ask], {
    env: environment(),
    encoding: "utf8",
  })

  expect(stdout.trim().split("\n")[0]).toContain(offered.split("\t")[0])
})

test.skipIf(!has("zsh"))("zsh reads its script", () => {
  const { status, stderr } = spawnSync("zsh", ["-f", "-n", join(folder, "zsh")], {
    encoding: "utf8",
  })

  expect(stderr).toBe("")
  expect(status).toBe(0)
})

test("another shell is a usage error that names those there are", async () => {
  const { exitCode, stderr } = await footfall(["completion", "tcsh"])

  expect(stderr).toContain("Use one of: bash, zsh, fish.")
  expect(exitCode).toBe(2)
})

test("with --json the script is a member of a document", async () => {
  const { stdout } = await footfall(["completion", "bash", "--json"])

  expect(JSON.parse(stdout).data).toEqual({ shell: "bash", script: scripts.get("bash") })
})
