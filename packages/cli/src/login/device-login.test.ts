import type { Footfall } from "@footfall/sdk"
import { expect, test } from "vitest"
import type { Terminal } from "../terminal/terminal.ts"
import { deviceLogin, isWebAddress } from "./device-login.ts"

test.each(["https://footfall.example.com/console/device#WDJB-MJHT", "http://127.0.0.1:4100/"])(
  "opens %s",
  (address) => {
    expect(isWebAddress(address)).toBe(true)
  },
)

test.each([
  "file:///etc/passwd",
  "javascript:alert(1)",
  "ms-settings:",
  "smb://host/share",
  "--help",
  "calc.exe",
  "",
])("does not open %j", (address) => {
  expect(isWebAddress(address)).toBe(false)
})

test("an address that is no web page is not opened, and the code is shown with the console's", async () => {
  let shown = ""
  const terminal = {
    // No program is found here.
    environment: { PATH: "/nowhere" },
    stderr: { write: (text: string) => (shown += text) },
  } as unknown as Terminal
  let isWaiting = false
  const footfall = {
    auth: {
      startDeviceLogin: async () => ({
        userCode: "WDJB-MJHT",
        verificationUri: "file:///etc/passwd",
        // No URL: to open it would throw.
        verificationUriComplete: "calc.exe",
      }),
      waitForDeviceLogin: async () => {
        isWaiting = true
        return { accessToken: "a" }
      },
    },
  } as unknown as Footfall

  expect(await deviceLogin(terminal, footfall, { opensBrowser: true })).toEqual({
    accessToken: "a",
  })
  expect(isWaiting).toBe(true)
  expect(shown).toContain("Open the console, at /console/device")
  expect(shown).not.toContain("passwd")
})
