import { expect, test } from "vitest"
import { isWebAddress } from "./device-login.ts"

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
