/**
 * The Chromium of every package's tests: at `CHROMIUM_PATH`, else Debian's headless shell, else the whole browser. The
 * shell is the same engine without windows and menus, and takes half the processor time. It contacts no other machine
 * by itself.
 */
import { existsSync } from "node:fs"

/** The whole browser. The shell has no background tabs, no back-forward cache and no prerendering. */
export const wholeChromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium"

const shellPath = "/usr/lib/chromium/chromium-headless-shell"

export const chromiumPath =
  process.env["CHROMIUM_PATH"] ?? (existsSync(shellPath) ? shellPath : wholeChromiumPath)

export const chromiumSwitches = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The script ignores a browser that says it is automated.
  "--disable-blink-features=AutomationControlled",
]
