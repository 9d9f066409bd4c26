// The configuration file: in FOOTFALL_CONFIG_DIR, or else in the platform's usual location.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import {
  type KeyOrganization,
  noProfiles,
  type Profile,
  type Profiles,
  type Session,
} from "./profile.ts"

/** What the location depends on. */
interface Machine {
  readonly platform: NodeJS.Platform
  readonly homeDirectory: string
  readonly environment: NodeJS.ProcessEnv
}

/** The directory, which may not exist yet. Source: spec 1.1, FOOTFALL_CONFIG_DIR. */
export const configDirectory = ({ platform, homeDirectory, environment }: Machine): string => {
  const chosen = environment["FOOTFALL_CONFIG_DIR"]
  if (chosen !== undefined && chosen !== "") return chosen
  if (platform === "darwin")
    return join(homeDirectory, "Library", "Application Support", "footfall")
  if (platform === "win32") {
    return join(environment["APPDATA"] ?? join(homeDirectory, "AppData", "Roaming"), "footfall")
  }
  // The XDG base directory specification says to ignore a path that is not absolute.
  const shared = environment["XDG_CONFIG_HOME"] ?? ""
  return join(isAbsolute(shared) ? shared : join(homeDirectory, ".config"), "footfall")
}

/** Longer than any command holds the lock: a token renewal takes at most 10 seconds. */
const LOCK_WAIT_MAX_MS = 15_000

/** `config.json` in the configuration directory. */
export class ConfigFile {
  readonly path: string
  readonly #directory: string

  constructor(environment: NodeJS.ProcessEnv) {
    const machine = { platform: process.platform, homeDirectory: homedir(), environment }
    this.#directory = configDirectory(machine)
    this.path = join(this.#directory, "config.json")
  }

  /**
   * The profiles; none if there is no file. `warn` is called if other users can read the keys. Errors:
   * `CONFIG_UNREADABLE`, if the file cannot be read or parsed.
   */
  async read(warn: (message: string) => void): Promise<Profiles> {
    const text = this.#readText(warn)
    if (text === null) return noProfiles
    const content = parsed(text)
    if (isProfiles(content)) {
      if (!usesKeyring(content)) return content
      const { openedProfiles } = await import("./keyring.ts")
      return openedProfiles(this.path, content, isProfile)
    }
    throw this.#error(
      "CONFIG_UNREADABLE",
      "is not a footfall configuration",
      "Fix or delete the file.",
    )
  }

  /**
   * Reads the file, changes it and writes it, while no other footfall command does. The file gets mode 0600 in a
   * directory of mode 0700. `warnOfKeyring` is called for secrets that could not be removed from the keyring.
   * Guarantee: afterwards the file is the new one or, after an error, still the old one. Errors: those of `read`,
   * `CONFIG_UNWRITABLE`, `CONFIG_BUSY`, those of `change`.
   */
  async change(
    warn: (message: string) => void,
    change: (profiles: Profiles) => Profiles | Promise<Profiles>,
    warnOfKeyring = warn,
  ): Promise<Profiles> {
    const { withFileLock } = await import("./file-lock.ts")
    const busy = (): CliError =>
      this.#error("CONFIG_BUSY", "is in use by another footfall command", "Try again.")
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      return await withFileLock(`${this.path}.lock`, { waitMaxMs: LOCK_WAIT_MAX_MS, busy }, () =>
        this.#changeAlone(warn, change, warnOfKeyring),
      )
    } catch (error) {
      throw isSystemError(error) ? this.#unwritable(error) : error
    }
  }

  async #changeAlone(
    warn: (message: string) => void,
    change: (profiles: Profiles) => Profiles | Promise<Profiles>,
    warnOfKeyring: (message: string) => void,
  ): Promise<Profiles> {
    const before = await this.read(warn)
    const profiles = await change(before)
    if (usesKeyring(before) || usesKeyring(profiles)) {
      const { closedProfiles } = await import("./keyring.ts")
      this.#write(closedProfiles(this.path, profiles, before, warnOfKeyring))
    } else this.#write(profiles)
    return profiles
  }

  #write(profiles: Profiles): void {
    // A symbolic link stays one.
    const path = existsSync(this.path) ? realpathSync(this.path) : this.path
    const temporaryPath = join(dirname(path), `.config.json.${process.pid}`)
    try {
      // A killed process with the same id may have left this file.
      rmSync(temporaryPath, { force: true })
      writeSynced(temporaryPath, `${JSON.stringify(profiles, null, 2)}\n`)
      renameSync(temporaryPath, path)
    } catch (error) {
      rmSync(temporaryPath, { force: true })
      throw this.#unwritable(error)
    }
  }

  #unwritable(error: unknown): CliError {
    return this.#error("CONFIG_UNWRITABLE", `cannot be written (${systemCode(error)})`)
  }

  #readText(warn: (message: string) => void): string | null {
    let file: number | null = null
    try {
      file = openSync(this.path, "r")
      // Windows has no such modes; there, only the user can access the directory.
      if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0) {
        warn(`Other users can read the keys in ${this.path}. Run: chmod 600 '${this.path}'`)
      }
      return readFileSync(file, "utf8")
    } catch (error) {
      if (systemCode(error) === "ENOENT") return null
      throw this.#error("CONFIG_UNREADABLE", `cannot be read (${systemCode(error)})`)
    } finally {
      if (file !== null) closeSync(file)
    }
  }

  #error(code: string, problem: string, nextStep = "Check its owner and permissions."): CliError {
    const message = `The configuration file ${this.path} ${problem}.`
    return new CliError({ code, message, exitCode: ExitCode.failed, nextStep })
  }
}

/** Synced before the rename; otherwise a power cut could leave an empty file under the final name. */
const writeSynced = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const usesKeyring = ({ profiles }: Profiles): boolean =>
  Object.values(profiles).some(({ keyring }) => keyring)

const parsed = (text: string): unknown => {
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    return undefined
  }
}

const isProfiles = (content: unknown): content is Profiles =>
  isObject(content) &&
  (content["current"] === null || typeof content["current"] === "string") &&
  isObject(content["profiles"]) &&
  Object.values(content["profiles"]).every(isProfile)

const isProfile = (content: unknown): content is Profile =>
  isObject(content) &&
  typeof content["baseUrl"] === "string" &&
  (content["keyring"] === undefined || content["keyring"] === true) &&
  (content["apiKey"] === undefined || typeof content["apiKey"] === "string") &&
  (content["keyOrganization"] === undefined || isKeyOrganization(content["keyOrganization"])) &&
  (content["session"] === undefined || isSession(content["session"]))

const isKeyOrganization = (content: unknown): content is KeyOrganization =>
  isObject(content) && typeof content["id"] === "string" && typeof content["name"] === "string"

const isSession = (content: unknown): content is Session =>
  isObject(content) &&
  ["email", "accessToken", "refreshToken", "expiresAt"].every(
    (name) => typeof content[name] === "string", // own keys: the names above.
  )

const isObject = (content: unknown): content is Readonly<Record<string, unknown>> =>
  typeof content === "object" && content !== null && !Array.isArray(content)

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error

const systemCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)
