// The scripts of `footfall completion`, run by a real shell as if the user pressed TAB. Bash is
// installed wherever the tests run. zsh and fish run where they are installed; elsewhere the test
// reads their scripts.

import { spawnSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { configDirectory, footfall, footfallPath, isolated } from "./fixtures/footfall.ts"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"
import { needs } from "../../../scripts/test-run/programs.ts"

const folder = temporaryFolder("completion")
const configured = configDirectory()
const shells = ["bash", "zsh", "fish", "powershell"] as const
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

/** Bash's suggestions after these words. The last word is being typed. */
const bashSuggestions = (...words: ReadonlyArray<string>): string => {
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
  [
    ["visitors", ""],
    "list get query fields sessions session score topics assign tag notes origins export archive erase",
  ],
  [["integrations", "accounts", "c"], "create check"],
  [["visitors", "list", "--out"], "--output"],
  [["visitors", "list", "--output", ""], "table json ndjson csv"],
  [["visitors", "list", "--output", "=", "js"], "json"],
  [["visitors", "list", "--timeframe", "2"], "24h"],
  [["visitors", "get", "-o", ""], "table json ndjson csv"],
  [["--output", "json", "pixels", "v"], "verify"],
  [["completion", "z"], "zsh"],
  // The value of an option is not a command.
  [["--profile", "visitors", "pixels", "v"], "verify"],
  // With nothing to suggest, bash completes file names.
  [["visitors", "list", "--limit", ""], ""],
  [["import", "topics", ""], ""],
])("bash offers after `footfall %j`: %s", (words, offered) => {
  expect(bashSuggestions(...words)).toBe(offered)
})

test.each([[["visitors", "list", "--profile", "l"]], [["--profile", "=", "l"]]])(
  "bash offers the profiles of this computer after `footfall %j`",
  (words) => {
    expect(bashSuggestions(...words)).toBe("local lab.2")
  },
)

test.each(shells)("the script for %s contains every command and every option", async (shell) => {
  const { stdout } = await footfall(["visitors", "list", "--help"])

  for (const [option] of stdout.matchAll(/--[a-z][a-z-]+/g)) {
    expect(scripts.get(shell)).toContain(option)
  }
  await expect(pathsOf(scripts.get(shell) ?? "")).toMatchFileSnapshot("fixtures/commands.txt")
})

/** The commands without subcommands, in the form of the list of commands. */
const pathsOf = (script: string): string => {
  const paths = [
    ...script.matchAll(/^ +(?:case )?'([a-z][a-z-]*(?: [a-z][a-z-]*)*)'(?=\)|$| = \[)/gm),
  ].map(([, path = ""]) => path)
  const isGroup = (path: string) => paths.some((other) => other.startsWith(`${path} `))
  return `${paths.filter((path) => !isGroup(path)).join("\n")}\n`
}

describe("fish", needs("fish"), () => {
  test.each([
    ["footfall vis", "visitors\tthe people who were identified on your sites"],
    ["footfall integrations accounts ch", "check\tcheck with the provider that the account works"],
    ["footfall visitors list --output j", "json"],
    ["footfall visitors list --output=j", "--output=json"],
    ["footfall --profile visitors pixels v", "verify\tfind out why a pixel hears nothing"],
    ["footfall --profile lo", "local"],
  ])("offers after `%s`: %s", (line, offered) => {
    const ask = `source ${join(folder, "fish")}; complete -C '${line}'`
    const { stdout } = spawnSync("fish", ["--no-config", "-c", ask], {
      env: environment(),
      encoding: "utf8",
    })

    expect(stdout.trim().split("\n")[0]).toContain(offered.split("\t")[0])
  })
})

test("zsh reads its script", needs("zsh"), () => {
  const { status, stderr } = spawnSync("zsh", ["-f", "-n", join(folder, "zsh")], {
    encoding: "utf8",
  })

  expect(stderr).toBe("")
  expect(status).toBe(0)
})

// PowerShell isn't installed here, so these tests check its script as text.
describe("the script of PowerShell", () => {
  /** The script without its strings. A doubled quote stays inside its string. */
  const withoutStrings = (script: string): string =>
    script.replace(/'(?:[^'\u2018-\u201B]|['\u2018-\u201B]{2})*'/g, "")

  test("has only complete strings and balanced brackets", () => {
    const code = withoutStrings(scripts.get("powershell") ?? "").replace(/"[^"]*"/g, "")

    const open: Array<string> = []
    const closing: Record<string, string> = { "}": "{", ")": "(", "]": "[" }
    for (const [sign = ""] of code.matchAll(/[{}()[\]]/g)) {
      if (sign in closing) expect(open.pop()).toBe(closing[sign])
      else open.push(sign)
    }
    expect(open).toEqual([])
    expect(code).not.toMatch(/['\u2018-\u201B`]/)
  })

  test("describes every word, because a tooltip must not be empty", () => {
    expect(scripts.get("powershell")).not.toMatch(/'[\w-]+' = ''[; }]/)
  })

  test("quotes any word as one string, even with typographic quotes", async () => {
    const { powershellScript } = await import("../src/completion/powershell.ts")
    const said = 'it\'s ‘so’ $(calc) `n "x"'
    const script = powershellScript([
      { path: "", commands: [{ text: "a", does: said }], options: [], values: [] },
    ])

    expect(script).toContain("'a' = 'it''s ‘‘so’’ $(calc) `n \"x\"' }")
  })
})

test("another shell is a usage error that lists the supported ones", async () => {
  const { exitCode, stderr } = await footfall(["completion", "tcsh"])

  expect(stderr).toContain("Use one of: bash, zsh, fish, powershell.")
  expect(exitCode).toBe(2)
})

test("with --json the script is a field of a JSON document", async () => {
  const { stdout } = await footfall(["completion", "bash", "--json"])

  expect(JSON.parse(stdout).data).toEqual({ shell: "bash", script: scripts.get("bash") })
})
