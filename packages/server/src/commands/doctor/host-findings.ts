// What the doctor sees of the machine: data directory and secret, room on the disk, the port, the mail server.
import { Effect, Option } from "effect"
import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import type { ServerConfig } from "../../config.ts"
import { probe } from "../../outbound/probe.ts"
import { failed, type Finding, ok, skipped, warning } from "./finding.ts"

type Config = ServerConfig["Service"]

const mebibyte = 1024 * 1024
/** Below the first nothing can be trusted to work, below the second it is time to look. */
const roomMin = 100 * mebibyte
const roomSmall = 1024 * mebibyte

export const hostFindings = (config: Config) =>
  Effect.promise(() =>
    Promise.all([directory(config), secret(config), room(config), port(config), mail(config)]),
  )

const directory = async ({ dataDir }: Config): Promise<Finding> => {
  const check = "data directory"
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(check, `${dataDir} can be read and written.`)
  } catch (error) {
    if (codeOf(error) === "ENOENT") return ok(check, `${dataDir} will be made by the first start.`)
    return failed(
      check,
      `${dataDir} cannot be read and written (${codeOf(error)}).`,
      "Make the user that runs the server its owner, or set DATA_DIR to another directory.",
    )
  }
}

const secret = async ({ databaseUrl, dataDir, secrets }: Config): Promise<Finding> => {
  const check = "secret"
  const file = `${dataDir}/secret`
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  )
  if (mode !== undefined && (mode & 0o077) !== 0) {
    return warning(
      check,
      `${file} can be read by others (mode ${mode.toString(8)}).`,
      `chmod 600 ${file}`,
    )
  }
  if (Option.isNone(databaseUrl) && mode !== undefined) {
    return ok(check, `From FOOTFALL_SECRET, else ${file}; without it what is encrypted is lost.`)
  }
  return ok(check, secrets.length === 2 ? "Two values: the first signs." : "One value.")
}

const room = async ({ dataDir }: Config): Promise<Finding> => {
  const check = "disk"
  try {
    const { bavail, bsize } = await statfs(await nearest(dataDir))
    const free = bavail * bsize
    const words = `${Math.round(free / mebibyte)} MiB are free for ${dataDir}.`
    if (free >= roomSmall) return ok(check, words)
    const report = free < roomMin ? failed : warning
    return report(check, words, "Free some room, or move DATA_DIR to a larger disk.")
  } catch (error) {
    return skipped(check, `The room for ${dataDir} cannot be told (${codeOf(error)}).`)
  }
}

/** The directory, or the first above it that is there. */
const nearest = async (path: string): Promise<string> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  const above = path.includes("/") ? path.replace(/\/[^/]*$/, "") || "/" : "."
  return isThere || above === path ? path : nearest(above)
}

const port = async ({ host, port: number }: Config): Promise<Finding> => {
  const check = "port"
  const code = await listenCode(host, number)
  if (code === undefined) return ok(check, `${host}:${number} is free.`)
  if (code !== "EADDRINUSE") {
    return failed(check, `Cannot listen on ${host}:${number} (${code}).`, "Set HOST or PORT.")
  }
  const { answer } = await probe(host === "::" ? "::1" : host, number, "/healthz")
  return answer.includes('"status":"ok"')
    ? ok(check, `${host}:${number} is answered by a Footfall server.`)
    : failed(
        check,
        `${host}:${number} is in use by another program.`,
        "Stop it, or choose another port: --port or PORT.",
      )
}

/** Undefined: it can be listened on. */
const listenCode = (host: string, number: number) =>
  new Promise<string | undefined>((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve(codeOf(error)))
    server.listen(number, host, () => server.close(() => resolve(undefined)))
  })

const mail = async ({ smtpServer }: Config): Promise<Finding> => {
  const check = "mail"
  if (smtpServer === undefined) {
    return skipped(check, "SMTP_URL is not set: no mail is sent, invitations are in the answers.")
  }
  const { host, port: number } = smtpServer
  const { code } = await probe(host, number)
  return code === undefined
    ? ok(check, `${host}:${number} takes connections.`)
    : failed(check, `No mail server at ${host}:${number} (${code}).`, "Look at SMTP_URL.")
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)
