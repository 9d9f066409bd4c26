// A real Chromium: at CHROMIUM_PATH, else Debian's. Where there is none the tests that need one are
// skipped, and say so as loudly as a console allows. To the server it is an ordinary browser of a
// visitor outside the consent region: its own name would make it a bot (decisions.md 6.6).
import { existsSync } from "node:fs"
import { chromium, type Browser, type BrowserContext } from "playwright-core"

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium"

/** Without the word that makes Chromium a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

export const hasChromium = existsSync(executablePath)

if (!hasChromium) {
  console.warn(
    [
      "",
      "################################################################################",
      "##  NO CHROMIUM: the way from a browser to a terminal is NOT TESTED.          ##",
      "##  Install one (apt-get install chromium) or set CHROMIUM_PATH.              ##",
      "################################################################################",
      `looked at ${executablePath}`,
      "",
    ].join("\n"),
  )
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // The script takes a browser for a visitor's that does not say a program drives it.
      "--disable-blink-features=AutomationControlled",
      // For the whole browser: what a page sends while it is left is out of reach of an emulation.
      `--user-agent=${userAgent}`,
    ],
  })

/** A browser profile of its own: no cookie and no storage of another one. */
export const newVisitor = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({
    timezoneId: "America/New_York",
    viewport: { width: 1440, height: 900 },
  })
