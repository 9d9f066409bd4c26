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
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // As in `NOT_DRIVEN`, for pages that the driver cannot reach: prerendered ones.
      "--disable-blink-features=AutomationControlled",
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
  const packageName = { Chromium: "chromium", Firefox: "firefox-esr" }[name]
  const notice = [
    "",
    "################################################################################",
    `##  NO ${name.toUpperCase()}: its tests of the pixel are SKIPPED.`.padEnd(78) + "##",
    `##  Install one (apt-get install ${packageName}) or set ${name.toUpperCase()}_PATH.`.padEnd(
      78,
    ) + "##",
    "################################################################################",
    `looked at ${options[name].executablePath}`,
    "",
  ].join("\n")
  if (process.env["CI"]) throw new Error(notice)
  console.warn(notice)
}

/** Run in each page: the script takes a browser for a visitor's that does not say a program drives it. */
export const NOT_DRIVEN =
  'Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false, configurable: true })'

/** `preferences` are Firefox's, as in about:config. */
export const launchBrowser = (
  name: BrowserName,
  preferences: { readonly [name: string]: unknown } = {},
): Promise<Browser> =>
  launch({
    ...options[name],
    extraPrefsFirefox: { ...options[name].extraPrefsFirefox, ...preferences },
  })
