// `footfall doctor`: why no visitors are listed, told apart and with what to do. Ends with 0 when all
// is in order and with 1 otherwise.

import type { Timeframe } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { fieldsOption } from "../../output/output-format.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { timeframes } from "../../timeframes.ts"
import { examples } from "../examples.ts"
import { pixelId, windowInWords } from "../visitors/question.ts"

/** As commander hands them over. */
interface DoctorOptions extends GlobalOptions {
  readonly timeframe: Timeframe
  readonly pixel?: string
  readonly domain?: string
}

/** What the command takes and does. */
export const defineDoctor = (command: Command, terminal: Terminal): void => {
  command
    .addOption(
      new Option("--timeframe <window>", "how far back to look for visitors")
        .choices(timeframes)
        .default("7d"),
    )
    .addOption(new Option("--pixel <id>", "only this pixel").argParser(pixelId).conflicts("domain"))
    .option("--domain <name>", "only the pixel of this domain")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall doctor",
        "footfall doctor --domain example.com --timeframe 24h",
        "footfall doctor --json | jq -r '.data.checks[] | select(.state == \"problem\") | .code'",
      ),
    )
    .action(async () => {
      const options = command.optsWithGlobals<DoctorOptions>()
      const { timeframe, pixel, domain } = options
      const client = await connect(terminal, command)
      const { examine } = await import("../../doctor/examine.ts")
      const window = windowInWords(timeframe)

      const checks = await examine(client, { timeframe, window, pixel, domain, now: terminal.now })

      const isHealthy = checks.every(({ state }) => state !== "problem")
      await printResult(terminal, options, { healthy: isHealthy, checks }, async (columns) => {
        const [{ drawn }, { DoctorView }] = await Promise.all([
          import("../../screens/drawn.ts"),
          import("../../screens/DoctorView.tsx"),
        ])
        return drawn(DoctorView, { checks, screenColumns: columns }, columns)
      })
      if (!isHealthy) terminal.endWith(ExitCode.failed)
    })
}
