// Vitest global setup for the console's tests: one server with the demo's data and one Chromium for
// all of them. Because they are shared, tests give everything they create a unique name.
import { chromium } from "playwright-core"
import type { TestProject } from "vitest/node"
import { chromiumPath, chromiumSwitches } from "../../../pixel/test/browser/support/chromium.ts"
import { startTestServer } from "@footfall/server/testing"
import { temporaryFolder } from "../../../../scripts/test-run/temporary-folder.ts"
import { has } from "../../../../scripts/test-run/programs.ts"

/** What tests know about the server, and how to reach the browser. */
export interface Stage {
  readonly url: string
  readonly apiKey: string
  readonly owner: {
    readonly email: string
    readonly password: string
    readonly accessToken: string
  }
  readonly browser: string
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Null without a Chromium. */
    stage: Stage | null
  }
}

export default async function setup(project: TestProject) {
  if (!has("chromium")) {
    project.provide("stage", null)
    return
  }
  process.env["TMPDIR"] = temporaryFolder("c")
  const [server, browser] = await Promise.all([
    startTestServer({ sample: true }),
    chromium.launchServer({
      executablePath: chromiumPath,
      args: [...chromiumSwitches],
      host: "127.0.0.1",
    }),
  ])
  const { apiKey, owner, url } = server
  project.provide("stage", { url, apiKey, owner, browser: browser.wsEndpoint() })
  return async () => {
    await browser.close()
    await server.close()
  }
}
