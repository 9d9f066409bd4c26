// Turns a thrown value into the printed error and the exit code: text for people, or the document of spec 1.1. Anything
// that looks like a key is redacted.

import { ApiError, ConfigurationError, ConnectionError, TimeoutError } from "@footfall/sdk"
import { jsonLine } from "../output/json.ts"
import { plainText } from "../terminal/terminal.ts"
import { apiErrorAdvice } from "./api-error-advice.ts"
import { CliError, codeOf, ExitCode } from "./cli-error.ts"
import { notFoundOf } from "./not-found.ts"

/** The printed parts of an error. `status` and `requestId` are null if no server responded. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly status: number | null
  readonly requestId: string | null
  readonly nextStep: string | null
  readonly exitCode: number
}

/**
 * Accepts any thrown value; the next step depends on the command. `help`: where to read more, for errors without a
 * better step. Guarantee: message and next step contain no keys, even in text from elsewhere.
 */
export const errorReport = (
  error: unknown,
  commandLine: ReadonlyArray<string>,
  help: string,
): ErrorReport => {
  const report = describe(error, commandLine)
  const { message } = report
  const nextStep = report.nextStep ?? lastResort(report, help)
  return {
    ...report,
    message: withoutKeys(message),
    nextStep: nextStep === null ? null : withoutKeys(nextStep),
  }
}

/** `{"error": {"code", "message", "status", "requestId"}}` on one line (spec 1.1). */
export const errorAsJson = ({ code, message, nextStep, status, requestId }: ErrorReport): string =>
  jsonLine({ error: { code, message: sentences(message, nextStep), status, requestId } }).trimEnd()

/** The failure for people: what happened, then what to do, then the id to quote. */
export const errorAsText = ({ message, nextStep, requestId }: ErrorReport): string =>
  [`error: ${message}`, nextStep, requestId === null ? null : `Request id: ${requestId}`]
    .filter((line) => line !== null)
    .map((line) => plainText(line))
    .join("\n")

const describe = (error: unknown, commandLine: ReadonlyArray<string>): ErrorReport => {
  if (error instanceof CliError) return { ...withoutStatus(error), exitCode: error.exitCode }
  if (error instanceof ApiError) {
    const { code, status, requestId } = error
    const message = plainIssues(error.message, commandLine)
    const found = status === 404 && message === "Not found." ? notFoundOf(commandLine) : null
    const advice = apiErrorAdvice(error, commandLine)
    return { code, message, status, requestId, ...advice, ...found }
  }
  if (error instanceof ConfigurationError) {
    const isMissing = error.code === "CREDENTIALS_MISSING"
    const exitCode = isMissing ? ExitCode.authentication : ExitCode.usage
    return { ...withoutStatus(error), exitCode }
  }
  // The message says what to change.
  if (error instanceof ConnectionError && error.isPermanent) return withoutStatus(error)
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    const nextStep = "Is the server running? To use another one: --base-url or a profile."
    return { ...withoutStatus(error), message: reachMessage(error.message), nextStep }
  }
  const disk = diskFailures.get(codeOf(error))
  if (disk !== undefined)
    return { ...withoutStatus({ code: "FILE_ERROR", ...disk(pathOf(error)) }) }
  const message = error instanceof Error ? error.message : String(error)
  return withoutStatus({ code: "UNEXPECTED_ERROR", message })
}

/** The file that an operation of the system failed on. */
const pathOf = (error: unknown): string =>
  error instanceof Error && "path" in error && typeof error.path === "string"
    ? error.path
    : "the output"

const noSpace = (path: string) => ({
  message: `Can't write ${path}: no space left on the device.`,
  nextStep: `Free some space, or set TMPDIR to a folder with more, and run the command again.`,
})

const notAllowed = (path: string) => ({
  message: `Can't write ${path}: not allowed, or the file system is read-only.`,
  nextStep: "Choose another folder, or change its permissions.",
})

/** Failures of the disk, which are no bugs. */
const diskFailures: ReadonlyMap<
  string,
  (path: string) => { readonly message: string; readonly nextStep: string }
> = new Map([
  ["ENOSPC", noSpace],
  ["EDQUOT", noSpace],
  ["EFBIG", noSpace],
  ["EROFS", notAllowed],
  ["EACCES", notAllowed],
  ["EPERM", notAllowed],
])

/** `Can't reach Footfall at http://… (connection refused).` Other failures keep the message of the SDK. */
const reachMessage = (message: string): string => {
  const [, server, failure = ""] = /at (https?:\S+) failed: (.*)/.exec(message) ?? []
  const reason = reasons.get(failure.match(/\bE[A-Z_]+\b/g)?.at(-1) ?? "")
  return server === undefined || reason === undefined
    ? message
    : `Can't reach Footfall at ${server} (${reason}).`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "host not found"],
  ["EAI_AGAIN", "host not found"],
  ["ECONNRESET", "connection reset"],
  ["EHOSTUNREACH", "host unreachable"],
  ["ENETUNREACH", "network unreachable"],
])

/**
 * Formats a request issue as `Invalid --seniority "vpp". Use one of: …`, with the option's name if the option was
 * given.
 */
const plainIssues = (message: string, commandLine: ReadonlyArray<string>): string => {
  const name = (path: string): string => {
    const field = path.split("/").findLast((part) => !/^\d+$/.test(part)) ?? path
    const option = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const isOnCommandLine = commandLine.some(
      (word) => word === option || word.startsWith(`${option}=`),
    )
    return isOnCommandLine ? option : field
  }
  return message
    .replace(/^Invalid request: (?=\/)/, "")
    .replace(
      /\/(?:body|query|path)\/([\w/-]{1,200}):? Expected one of (.{1,2000}?), received ("[^"]{0,2000}")\.?/g,
      (_, path: string, values: string, given: string) =>
        `Invalid ${name(path)} ${given}. Use one of: ${values}.`,
    )
    .replace(
      /\/(?:body|query|path)\/([\w/-]{1,200}):? Expected /g,
      (_, path: string) => `Invalid ${name(path)}: expected `,
    )
}

/**
 * The next step if there is no better one. Null for other errors, for example if the user declined.
 */
const lastResort = ({ code, exitCode, status }: ErrorReport, help: string): string | null => {
  if (code === "UNEXPECTED_ERROR") {
    return "This is a bug in footfall. Please report it with the command and the output of footfall --version."
  }
  if (status !== null && status >= 500) {
    return "Try again later. If it keeps happening, send the request id to the server operator."
  }
  return exitCode === ExitCode.usage || status === 400 ? help : null
}

const withoutStatus = (error: {
  readonly code: string
  readonly message: string
  readonly nextStep?: string | null
}): ErrorReport => ({
  code: error.code,
  message: error.message,
  status: null,
  requestId: null,
  nextStep: error.nextStep ?? null,
  exitCode: ExitCode.failed,
})

const sentences = (message: string, nextStep: string | null): string =>
  nextStep === null ? message : `${message.replace(/([^.!?])$/, "$1.")} ${nextStep}`

/** Redacts keys, refresh tokens, invitations, webhook secrets and access tokens, even mistyped ones. */
const withoutKeys = (text: string): string =>
  text
    .replace(/\b(sk_|rt_|inv_)[0-9A-Za-z_-]{8,}/g, "$1…")
    .replace(/\bwhsec_[\w+/=-]{8,}/g, "whsec_…")
    .replace(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJ…")
