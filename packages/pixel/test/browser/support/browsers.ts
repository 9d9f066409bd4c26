/**
 * The real browsers: Debian's Chromium and Firefox, or those at `CHROMIUM_PATH` and `FIREFOX_PATH`, both driven by
 * puppeteer with the same code.
 *
 * No browser contacts any other machine: every name is loopback or unknown.
 */
import { launch } from "puppeteer-core"
import type { Browser, LaunchOptions } from "puppeteer-core"
import { chromiumPath, chromiumSwitches, wholeChromiumPath } from "./chromium.ts"
import { firefoxPath } from "../../../../../scripts/test-run/programs.ts"

export type BrowserName = "Chromium" | "Firefox"

/** Site names besides `localhost` and `127.0.0.1`. All of them lead to loopback. */
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
    executablePath: firefoxPath,
    extraPrefsFirefox: { "network.dns.localDomains": HOSTS.join(",") },
  },
}

export const browserNames = Object.keys(options) as BrowserName[]

/** Runs in each page, because the script ignores a browser that says it is automated. */
export const NOT_DRIVEN =
  'Object.defineProperty(Navigator.prototype, "webdriver", { get: () => false, configurable: true })'

export interface BrowserOptions {
  /** Firefox preferences, as in about:config. */
  readonly preferences?: { readonly [name: string]: unknown }
  /** Chromium with its whole user interface. */
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
