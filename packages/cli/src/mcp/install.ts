// Writes the entry for Footfall into an agent's configuration file. The rest of the file stays as it is.

import {
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { parse, stringify } from "smol-toml"
import { CliError, ExitCode } from "../errors/cli-error.ts"

interface InstallOptions {
  readonly profile: string | undefined
  readonly allowsWrites: boolean
  readonly isPrinted: boolean
}

interface Installed {
  readonly file: string
  /** In the file's format. */
  readonly entry: string
  readonly written: boolean
}

const name = "footfall"

/** Errors: `AGENT_FILE_INVALID` and `AGENT_FILE_UNWRITABLE`; the file is unchanged then. */
export const installEntry = (
  environment: NodeJS.ProcessEnv,
  agentName: string,
  { allowsWrites, isPrinted, profile }: InstallOptions,
): Installed => {
  const agent = agents.get(agentName)! // commander rejects unknown agents
  const machine = { platform: process.platform, homeDirectory: homedir(), environment }
  const file = join(...agent.file(machine))
  const directory = environment["FOOTFALL_CONFIG_DIR"]
  const entry = {
    ...(agent.hasType && { type: "stdio" }),
    // Uses absolute paths, because a desktop agent does not have the shell's PATH.
    command: process.execPath,
    args: [
      realpathSync(process.argv[1]!),
      "mcp",
      ...(profile === undefined ? [] : ["--profile", profile]),
      ...(allowsWrites ? ["--allow-writes"] : []),
    ],
    ...(directory && { env: { FOOTFALL_CONFIG_DIR: directory } }),
  }
  const shown = textOf(agent, { [agent.member]: { [name]: entry } })
  if (isPrinted) return { file, entry: shown, written: false }
  const text = readText(file)
  const changed =
    agent.format === "json" ? inJson(file, text, agent, entry) : inToml(file, text, agent, entry)
  write(file, changed)
  return { file, entry: shown, written: true }
}

type Members = Readonly<Record<string, unknown>>

const textOf = ({ format }: Agent, content: Members): string =>
  format === "json" ? JSON.stringify(content, null, 2) : stringify(content).trimEnd()

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const serversIn = (content: Members, { member }: Agent): unknown =>
  Object.hasOwn(content, member) ? content[member] : {}

const inJson = (file: string, text: string, agent: Agent, entry: Members): string => {
  const content: unknown = text.trim() === "" ? {} : read(file, "JSON", () => JSON.parse(text))
  if (!isMembers(content)) throw invalid(file, "is not a JSON object")
  const servers = serversIn(content, agent)
  if (!isMembers(servers))
    throw invalid(file, `has a member "${agent.member}" that is not an object`)
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? "  "
  const changed = { ...content, [agent.member]: { ...servers, [name]: entry } }
  return `${JSON.stringify(changed, null, indent)}\n`
}

/** Edits the text, so that comments are kept. Then parses the result and compares it. */
const inToml = (file: string, text: string, agent: Agent, entry: Members): string => {
  const before: Members = read(file, "TOML", () => parse(text))
  const servers = serversIn(before, agent)
  if (!isMembers(servers)) throw invalid(file, `has a value "${agent.member}" that is not a table`)
  const expected = { ...before, [agent.member]: { ...servers, [name]: entry } }
  const rest = withoutTable(text, `${agent.member}.${name}`).trimEnd()
  const own = stringify({ [agent.member]: { [name]: entry } }).trim()
  const changed = `${rest === "" ? "" : `${rest}\n\n`}${own}\n`
  if (isToml(changed, expected)) return changed
  throw invalid(file, `has an entry "${name}" that cannot be changed in place`)
}

const isToml = (text: string, content: Members): boolean => {
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(content))
  } catch {
    return false
  }
}

/** Drops prototypes, because the two parsers create different ones. */
const plain = (content: unknown): unknown => JSON.parse(JSON.stringify(content))

const withoutTable = (text: string, table: string): string => {
  let isInside = false
  const kept = text.split("\n").filter((line) => {
    const header = /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1]?.trim()
    if (header !== undefined) isInside = header === table || header.startsWith(`${table}.`)
    return !isInside
  })
  return kept.join("\n")
}

const read = <Value>(file: string, format: string, reader: () => Value): Value => {
  try {
    return reader()
  } catch {
    throw invalid(file, `is not valid ${format}`)
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return ""
    throw unwritable(file, error)
  }
}

const write = (file: string, text: string): void => {
  const temporary = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true })
    const { mode, path } = existing(file)
    writeFileSync(temporary, text, { mode })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw unwritable(file, error)
  }
}

/** Keeps a symbolic link and writes to its target. */
const existing = (file: string): { readonly mode: number; readonly path: string } => {
  try {
    const path = realpathSync(file)
    return { mode: statSync(path).mode & 0o777, path }
  } catch {
    return { mode: 0o600, path: file }
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error

const invalid = (file: string, problem: string): CliError =>
  new CliError({
    code: "AGENT_FILE_INVALID",
    message: `${file} ${problem}. Nothing was written.`,
    exitCode: ExitCode.failed,
    nextStep: "Fix the file, or add the entry by hand. To see the entry, add --print.",
  })

const unwritable = (file: string, error: unknown): CliError =>
  new CliError({
    code: "AGENT_FILE_UNWRITABLE",
    message: `${file} cannot be written (${isSystemError(error) ? error.code : "unknown"}).`,
    exitCode: ExitCode.failed,
  })

// Where agents store their list of MCP servers, according to their documentation.

/** What the location depends on. */
interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDirectory: string
  readonly environment: NodeJS.ProcessEnv
}

interface Agent {
  readonly format: "json" | "toml"
  /** The member of the file that lists the servers by name. */
  readonly member: "mcpServers" | "servers" | "mcp_servers"
  /** Whether an entry has a `type` that says it is a program. */
  readonly hasType: boolean
  /** Parts of the file's path. */
  readonly file: (machine: Machine) => ReadonlyArray<string>
}

const inHome =
  (...parts: ReadonlyArray<string>) =>
  ({ homeDirectory }: Machine): ReadonlyArray<string> => [homeDirectory, ...parts]

/** Where the platform stores application settings. */
const inApplications =
  (...parts: ReadonlyArray<string>) =>
  ({ environment, homeDirectory, platform }: Machine): ReadonlyArray<string> => {
    if (platform === "darwin") return [homeDirectory, "Library", "Application Support", ...parts]
    if (platform !== "win32") {
      return [environment["XDG_CONFIG_HOME"] || `${homeDirectory}/.config`, ...parts]
    }
    return [environment["APPDATA"] ?? `${homeDirectory}\\AppData\\Roaming`, ...parts]
  }

const json = { format: "json", member: "mcpServers", hasType: false } as const

const agents: ReadonlyMap<string, Agent> = new Map<string, Agent>([
  ["claude-code", { ...json, hasType: true, file: inHome(".claude.json") }],
  ["claude-desktop", { ...json, file: inApplications("Claude", "claude_desktop_config.json") }],
  ["cursor", { ...json, file: inHome(".cursor", "mcp.json") }],
  [
    "vscode",
    {
      format: "json",
      member: "servers",
      hasType: true,
      file: inApplications("Code", "User", "mcp.json"),
    },
  ],
  [
    "codex",
    {
      format: "toml",
      member: "mcp_servers",
      hasType: false,
      file: ({ environment, homeDirectory }) => [
        environment["CODEX_HOME"] || `${homeDirectory}/.codex`,
        "config.toml",
      ],
    },
  ],
  ["gemini-cli", { ...json, file: inHome(".gemini", "settings.json") }],
  ["windsurf", { ...json, file: inHome(".codeium", "windsurf", "mcp_config.json") }],
])

export const agentNames: ReadonlyArray<string> = [...agents.keys()]
