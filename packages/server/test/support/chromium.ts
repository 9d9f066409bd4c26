// A real Chromium. To the server it is an ordinary visitor's browser outside the consent region, because its own name
// would make it a bot (spec 6.6).
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from "playwright-core"
import { chromiumPath, chromiumSwitches } from "../../../pixel/test/browser/support/chromium.ts"

/** Without the word that makes Chromium a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...chromiumSwitches,
      // For the whole browser, because emulation doesn't reach what a page sends while it is left.
      `--user-agent=${userAgent}`,
    ],
  })

/** A separate browser profile, without cookies or storage of another one. */
export const newVisitor = (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> =>
  browser.newContext({
    timezoneId: "America/New_York",
    viewport: { width: 1440, height: 900 },
    ...options,
  })
