/**
 * A real Chromium for the tests that need one: at `CHROMIUM_PATH`, else Debian's. Where there is none
 * the tests are skipped, and say so as loudly as a console allows.
 */
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import type { Browser } from "playwright-core"

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium"

export const hasChromium = existsSync(executablePath)

if (!hasChromium) {
  console.warn(
    [
      "",
      "################################################################################",
      "##  NO CHROMIUM: the browser tests of the pixel are SKIPPED.                  ##",
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
    ],
    // Playwright switches the back-forward cache off, which is one of the things under test.
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  })
