// Signs in by approval in the browser: the terminal shows a code, the user confirms it in the console (spec 17.2).

import type { DeviceLoginStarted, Footfall, Tokens } from "@footfall/sdk"
import { hostname } from "node:os"
import { spawn } from "node:child_process"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { lines, type Terminal } from "../terminal/terminal.ts"

/** The server's maximum. */
const NAME_LENGTH_MAX = 100

/**
 * Null if the server does not offer this sign-in. Errors: `LOGIN_DENIED`, `LOGIN_EXPIRED` (exit code 4), those of the
 * server.
 */
export const deviceLogin = async (
  terminal: Terminal,
  footfall: Footfall,
  { opensBrowser }: { readonly opensBrowser: boolean },
): Promise<Tokens | null> => {
  const { BadRequestError } = await import("@footfall/sdk")
  const login = await started(footfall)
  if (login === null) return null
  await tell(terminal, login, opensBrowser)
  try {
    return await footfall.auth.waitForDeviceLogin(login)
  } catch (error) {
    const reason = error instanceof BadRequestError ? error.deviceLoginReason : null
    if (reason === "access_denied") throw denied
    if (reason === "expired_token") throw expired
    throw error
  }
}

const started = async (footfall: Footfall): Promise<DeviceLoginStarted | null> => {
  const { NotFoundError, PermissionError } = await import("@footfall/sdk")
  const clientName = `footfall on ${hostname()}`.slice(0, NAME_LENGTH_MAX)
  try {
    return await footfall.auth.startDeviceLogin({ clientName })
  } catch (error) {
    // The server has no console, or is older.
    if (error instanceof PermissionError || error instanceof NotFoundError) return null
    throw error
  }
}

const tell = async (
  { environment, stderr }: Terminal,
  { userCode, verificationUri, verificationUriComplete }: DeviceLoginStarted,
  opensBrowser: boolean,
): Promise<void> => {
  const isOpen = opensBrowser && (await openBrowser(verificationUriComplete, environment))
  const address = isWebAddress(verificationUri)
    ? verificationUri
    : "the console, at /console/device"
  stderr.write(
    lines(
      isOpen
        ? `Opening ${address} in your browser. If it does not open, go there yourself.`
        : `Open ${address}`,
      `Approve only if it shows this code: ${userCode}`,
      "Waiting for your approval… Press Ctrl-C to cancel.",
    ),
  )
}

const denied = new CliError({
  code: "LOGIN_DENIED",
  message: "The sign-in was denied in the console.",
  exitCode: ExitCode.authentication,
  nextStep: "If that was a mistake, run: footfall login",
})

const expired = new CliError({
  code: "LOGIN_EXPIRED",
  message: "The code expired before it was approved.",
  exitCode: ExitCode.authentication,
  nextStep: "Run: footfall login",
})

// Opens a URL in the user's browser, without a shell, because a server could send a URL that a shell would execute.

/** The program that opens URLs, and its arguments before the URL. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}

/** Whether it is an http or https URL, and not a file or program. */
export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** Returns false if the browser could not be opened. */
const openBrowser = (address: string, environment: NodeJS.ProcessEnv): Promise<boolean> => {
  if (!isWebAddress(address)) return Promise.resolve(false)
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"]
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // `href` contains no spaces and no quotes.
  const child = spawn(program, [...words, new URL(address).href], {
    env: environment,
    stdio: "ignore",
    detached: true,
  })
  child.once("error", () => resolve(false))
  child.once("spawn", () => {
    child.unref()
    resolve(true)
  })
  return promise
}
