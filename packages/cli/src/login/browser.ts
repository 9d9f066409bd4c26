// Opens an address in the user's browser. No shell reads it: a server could name an address that a shell would run.

import { spawn } from "node:child_process"

/** The program that opens addresses, and what goes before the address. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}

/** Whether it is an address that a browser shows, and no file or program. */
export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** False where it could not be opened. */
export const openBrowser = (address: string, environment: NodeJS.ProcessEnv): Promise<boolean> => {
  if (!isWebAddress(address)) return Promise.resolve(false)
  const [program, ...words] = openers[process.platform] ?? ["xdg-open"]
  const { promise, resolve } = Promise.withResolvers<boolean>()
  // As `href` writes it, it holds no space and no quote.
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
