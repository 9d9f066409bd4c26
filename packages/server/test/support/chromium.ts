// A real Chromium. Where there is none the tests that need one are skipped, and say so. To the server it is
// an ordinary browser of a visitor outside the consent region: its own name would make it a bot
// (spec 6.6).
import { existsSync } from "node:fs"
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from "playwright-core"
import {
  chromiumPath,
  chromiumSwitches,
  missingBrowser,
} from "../../../pixel/test/browser/support/chromium.ts"

/** Without the word that makes Chromium a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

export const hasChromium = existsSync(chromiumPath)

if (!hasChromium) {
  console.warn(
    missingBrowser("Chromium", {
      path: chromiumPath,
      untested: "the way from a browser to a terminal is NOT TESTED.",
    }),
  )
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...chromiumSwitches,
      // For the whole browser: what a page sends while it is left is out of reach of an emulation.
      `--user-agent=${userAgent}`,
    ],
  })

/** A browser profile of its own: no cookie and no storage of another one. */
export const newVisitor = (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> =>
  browser.newContext({
    timezoneId: "America/New_York",
    viewport: { width: 1440, height: 900 },
    ...options,
  })
