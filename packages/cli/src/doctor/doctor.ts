// `footfall doctor`: finds out why no visitors are listed and says what to do. Exits with 0 if there is no problem,
// else with 1.

import type { Timeframe } from "@footfall/sdk"
import { Option } from "commander"
import { define } from "../command/define.ts"
import { pixelId } from "../command/ids.ts"
import { ExitCode } from "../errors/cli-error.ts"
import { view } from "../output/print-result.ts"
import { timeframes, windowInWords } from "../visitors/selection.ts"

interface DoctorOptions {
  readonly timeframe: Timeframe
  readonly pixel?: string
  readonly domain?: string
}

export const doctorCommand = define<DoctorOptions>("doctor", {
  takes: (command) =>
    command
      .addOption(
        new Option("--timeframe <window>", "how far back to look for visitors")
          .choices(timeframes)
          .default("7d"),
      )
      .addOption(
        new Option("--pixel <pixel>", "only this pixel").argParser(pixelId).conflicts("domain"),
      )
      .option("--domain <name>", "only the pixel for this domain"),
  fields: "healthy",
  examples: [
    "footfall doctor",
    "footfall doctor --domain example.com --timeframe 24h",
    "footfall doctor --json | jq -r '.data.checks[] | select(.state == \"problem\") | .code'",
  ],
  run: async ({ connect, options, print, terminal }) => {
    const { timeframe, pixel, domain } = options
    const client = await connect()
    const { examine } = await import("./examine.ts")
    const window = windowInWords({ timeframe })

    const checks = await examine(client, { timeframe, window, pixel, domain, now: terminal.now })

    const isHealthy = checks.every(({ state }) => state !== "problem")
    await print(
      { healthy: isHealthy, checks },
      view(async () => (await import("./DoctorView.tsx")).DoctorView, { checks }),
    )
    if (!isHealthy) terminal.endWith(ExitCode.failed)
  },
})
