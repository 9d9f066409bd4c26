// Opens a URL in the user's browser, without a shell, because a server could send a URL that a shell would execute.

import { spawn } from "node:child_process"

/** The program that opens URLs, and its arguments before the URL. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}

/** Whether it is an http or https URL, and not a file or program. */
export const isWebAddress = (address: string): boolean =>
  URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)

/** Returns false if the browser could not be opened. */
export const openBrowser = (address: string, environment: NodeJS.ProcessEnv): Promise<boolean> => {
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
