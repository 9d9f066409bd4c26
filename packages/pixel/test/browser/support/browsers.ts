/**
 * The real browsers: Debian's Chromium and Firefox, or those at `CHROMIUM_PATH` and `FIREFOX_PATH`,
 * both driven by puppeteer in the same words. One that is missing has its tests skipped and says so
 * as loudly as a console allows; with `CI` set it is an error instead.
 *
 * Promises that no browser asks anything of any other machine: every name is loopback or unknown.
 */
import { existsSync } from "node:fs"
import { launch } from "puppeteer-core"
import type { Browser, LaunchOptions } from "puppeteer-core"
import { chromiumPath, chromiumSwitches, missingBrowser, wholeChromiumPath } from "./chromium.ts"

export type BrowserName = "Chromium" | "Firefox"

/** Names of sites beside `localhost` and `127.0.0.1`; all of them lead to loopback. */
export const HOSTS = [
  "tidewater.example",
  "www.tidewater.example",
  "shop.tidewater.example",
  "elsewhere.example",
]

const options: { readonly [name in BrowserName]: LaunchOptions & { executablePath: string } } = {
  Chromium: {
    browser: "chrome",
    executablePath: chromiumPath,
    args: [
      ...chromiumSwitches,
      `--host-resolver-rules=${HOSTS.map((host) => `MAP ${host} 127.0.0.1`).join(",")},MAP * ~NOTFOUND,EXCLUDE 127.0.0.1,EXCLUDE localhost`,
    ],
  },
  Firefox: {
    browser: "firefox",
    executablePath: process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr",
    extraPrefsFirefox: { "network.dns.localDomains": HOSTS.join(",") },
  },
}

const names = Object.keys(options) as BrowserName[]
const missing = names.filter((name) => !existsSync(options[name].executablePath))

export const browserNames = names.filter((name) => !missing.includes(name))

for (const name of missing) {
  const notice = missingBrowser(name, {
    path: options[name].executablePath,
    untested: "its tests of the pixel are SKIPPED.",
  })
  if (process.env["CI"]) throw new Error(notice)
  console.warn(notice)
}

/** Run in each page: the script takes a browser for a visitor's that does not say a program drives it. */
export const NOT_DRIVEN =
  'Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false, configurable: true })'

export interface BrowserOptions {
  /** Firefox's, as in about:config. */
  readonly preferences?: { readonly [name: string]: unknown }
  /** Chromium with what is around the engine. */
  readonly whole?: boolean
}

export const launchBrowser = (
  name: BrowserName,
  { preferences = {}, whole = false }: BrowserOptions = {},
): Promise<Browser> =>
  launch({
    ...options[name],
    ...(whole && name === "Chromium" && { executablePath: wholeChromiumPath }),
    extraPrefsFirefox: { ...options[name].extraPrefsFirefox, ...preferences },
  })
