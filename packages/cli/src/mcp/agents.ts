// Where agents store their list of MCP servers, according to their documentation.

/** What the location depends on. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDirectory: string
  readonly environment: NodeJS.ProcessEnv
}

export interface Agent {
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

export const agents: ReadonlyMap<string, Agent> = new Map<string, Agent>([
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
