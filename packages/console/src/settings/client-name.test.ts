// Names of sessions in the session list.
import { expect, test } from "vitest"
import { clientName } from "./client-name.ts"

const mozilla = "Mozilla/5.0"
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

test.each([
  [`${mozilla} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`, "Firefox on Linux"],
  [
    `${mozilla} (Windows NT 10.0) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    "Edge on Windows",
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15) ${webkit} Version/18.0 Safari/605`,
    "Safari on macOS",
  ],
  [
    `${mozilla} (Linux; Android 15) ${webkit} Chrome/140.0 Mobile Safari/537.36`,
    "Chrome on Android",
  ],
  [`${mozilla} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Safari/604`, "Safari on iOS"],
  ["footfall-cli/0.1.0 node/24.0.0", "footfall-cli/0.1.0"],
  [null, "Unknown client"],
  ["  ", "Unknown client"],
])("the user agent %s is shown as %s", (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name)
})
