// node scripts/screenshots.ts [folder]: every screen of the console with the demo's data, in four widths and both
// themes, as pictures for someone to look at. Run `npm run build` first.
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Browser } from "playwright-core"
import { Footfall } from "@footfall/sdk"
import { chromiumPath, chromiumSwitches } from "../../pixel/test/browser/support/chromium.ts"
import { startTestServer, type TestServer } from "@footfall/server/testing"
import { makeScreens } from "../test/support/screens.ts"

const widths = [390, 1024, 1440, 2560]
const themes = ["light", "dark"] as const

interface View {
  readonly width: number
  readonly theme: (typeof themes)[number]
}

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), "footfall-screens-")))
const server = await startTestServer({ sample: true })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumSwitches })

const take = async (
  screens: ReadonlyArray<readonly [string, string | RegExp]>,
  { theme, width }: View,
) => {
  const page = await signedIn(browser, server, { theme, width })
  for (const [path, text] of screens) {
    await page.goto(`${server.url}/console/${path}`)
    await page.getByText(text).filter({ visible: true }).first().waitFor()
    await page.waitForLoadState("networkidle")
    const name = path.replace(/[0-9a-f]{64}|[0-9a-f-]{36}/g, "one").replace(/[^a-z0-9]+/gi, "-")
    await page.screenshot({ path: join(folder, `${width}-${theme}-${name}.png`) })
  }
  await page.context().close()
}

const signedIn = async (from: Browser, { owner, url }: TestServer, { theme, width }: View) => {
  const context = await from.newContext({
    viewport: { width, height: width < 640 ? 844 : Math.round((width * 5) / 8) },
    colorScheme: theme,
    reducedMotion: "reduce",
  })
  const page = await context.newPage()
  await page.goto(`${url}/console/people`)
  await page.getByLabel("Email").fill(owner.email)
  await page.screenshot({ path: join(folder, `${width}-${theme}-sign-in.png`) })
  await page.getByLabel("Password").fill(owner.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.locator("#content").waitFor()
  return page
}

try {
  const { accessToken } = server.owner
  const footfall = new Footfall({ baseUrl: server.url, apiKey: server.apiKey, accessToken })
  const screens = await makeScreens(footfall, server.url)
  for (const width of widths) for (const theme of themes) await take(screens, { theme, width })
  console.log(folder)
} finally {
  await browser.close()
  await server.close()
}
