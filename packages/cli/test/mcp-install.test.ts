// `footfall mcp install` adds the entry to the agent's file and leaves everything else as it was.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { temporaryFolder } from "../../../scripts/test-run/temporary-folder.ts"
import { footfall, footfallPath } from "./fixtures/footfall.ts"
import { apiKey } from "./fixtures/records.ts"

let home: string
beforeEach(() => {
  home = temporaryFolder("home")
})

const run = (words: ReadonlyArray<string>, { input = "", more = {} } = {}) =>
  footfall(words, {
    environment: { HOME: home, FOOTFALL_CONFIG_DIR: join(home, "config"), ...more },
    input,
  })

const install = (...words: ReadonlyArray<string>) => run(["mcp", "install", ...words])

const put = (file: string, text: string): string => {
  const path = join(home, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const read = (file: string): string => readFileSync(join(home, file), "utf8")

const program = { command: process.execPath, args: [footfallPath, "mcp"] }

test.each([
  ["claude-code", ".claude.json", "mcpServers"],
  ["claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"],
  ["cursor", ".cursor/mcp.json", "mcpServers"],
  ["vscode", ".config/Code/User/mcp.json", "servers"],
  ["gemini-cli", ".gemini/settings.json", "mcpServers"],
  ["windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers"],
])("%s: creates %s if it does not exist", async (agent, file, member) => {
  expect((await install(agent)).exitCode).toBe(0)

  expect(JSON.parse(read(file))).toMatchObject({ [member]: { footfall: program } })
})

test("keeps the rest of a JSON file, its indentation and its mode", async () => {
  const other = { theme: "dark", mcpServers: { other: { command: "y" } } }
  const path = put(".cursor/mcp.json", JSON.stringify(other, null, "\t"))

  await install("cursor")
  await install("cursor", "--allow-writes", "--profile", "production")

  const args = [footfallPath, "mcp", "--profile", "production", "--allow-writes"]
  const text = read(".cursor/mcp.json")
  expect(JSON.parse(text)).toMatchObject({
    ...other,
    mcpServers: { ...other.mcpServers, footfall: { args } },
  })
  expect(text).toContain('\n\t"theme"')
  expect(statSync(path).mode & 0o777).toBe(0o644)
  expect(readdirSync(dirname(path))).toEqual(["mcp.json"])
})

test("keeps the rest of a TOML file, including comments, and replaces its own entry", async () => {
  const before = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y" # keep\n'
  put(".codex/config.toml", before)

  await install("codex", "--allow-writes")
  await install("codex")

  const text = read(".codex/config.toml")
  expect(text.startsWith(before)).toBe(true)
  expect(text.match(/\[mcp_servers\.footfall\]/g)).toHaveLength(1)
  expect(text).not.toContain("--allow-writes")
})

test.each([
  ["claude-code", ".claude.json", "{ // a comment", "is not valid JSON"],
  ["claude-code", ".claude.json", "[]", "is not a JSON object"],
  [
    "claude-code",
    ".claude.json",
    '{"mcpServers": 1}',
    'has a member "mcpServers" that is not an object',
  ],
  ["codex", ".codex/config.toml", "model = ", "is not valid TOML"],
  [
    "codex",
    ".codex/config.toml",
    "mcp_servers = 1",
    'has a value "mcp_servers" that is not a table',
  ],
  [
    "codex",
    ".codex/config.toml",
    'mcp_servers = { footfall = { command = "x" } }',
    'has an entry "footfall" that cannot be changed in place',
  ],
])("%s: leaves a file unchanged that it cannot edit: %s %s", async (agent, file, text, reason) => {
  put(file, text)

  const { exitCode, stderr } = await install(agent)

  expect(exitCode).toBe(1)
  expect(JSON.parse(stderr).error).toMatchObject({ code: "AGENT_FILE_INVALID" })
  expect(JSON.parse(stderr).error.message).toContain(reason)
  expect(read(file)).toBe(text)
})

test.each([
  ["the current profile", [], {}, "work"],
  ["that of FOOTFALL_PROFILE", [], { FOOTFALL_PROFILE: "other" }, "other"],
  ["that of --profile", ["--profile", "third"], { FOOTFALL_PROFILE: "other" }, "third"],
])("the entry names %s", async (_what, words, more, name) => {
  for (const profile of ["work", "other"]) {
    await run(["profiles", "create", profile, "--api-key-stdin"], { input: apiKey })
  }

  await run(["mcp", "install", "cursor", ...words], { more })

  const args = [footfallPath, "mcp", "--profile", name]
  expect(JSON.parse(read(".cursor/mcp.json"))).toMatchObject({ mcpServers: { footfall: { args } } })
})

test.each([
  [
    ["--base-url", "https://footfall.example"],
    "profiles create <name> --base-url https://footfall.example",
  ],
  [["--api-key-stdin"], "profiles create <name>, then"],
])("%j is rejected with what to do instead, and nothing is written", async (words, advice) => {
  const { exitCode, stderr } = await install("cursor", ...words)

  expect(stderr).toContain(advice)
  expect(exitCode).toBe(2)
  expect(existsSync(join(home, ".cursor"))).toBe(false)
})

test("--print shows the entry and its file, and writes nothing", async () => {
  const { stdout } = await install("cursor", "--print")

  const { data } = JSON.parse(stdout)
  expect(data).toMatchObject({ file: join(home, ".cursor/mcp.json"), written: false })
  expect(JSON.parse(data.entry)).toMatchObject({ mcpServers: { footfall: program } })
  expect(existsSync(join(home, ".cursor"))).toBe(false)
})
