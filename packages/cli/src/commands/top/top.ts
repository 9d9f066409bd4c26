// `footfall top`: a live picture of visitors, queues and work in progress; or one picture with --once.

import { InvalidArgumentError, Option, type Command } from "commander"
import { clientOf } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { credentialSent, settle } from "../../connection/settle.ts"
import { usageError } from "../../errors/usage-error.ts"
import { jsonDocument } from "../../output/json.ts"
import { screenColumns, writeOut, type Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface TopOptions extends GlobalOptions {
  readonly interval: number
  readonly once?: true
}

/** Below, one key would use up a good part of its rate limit. */
const INTERVAL_MIN_SECONDS = 2
const INTERVAL_MAX_SECONDS = 3600

/** What the command takes and does. */
export const defineTop = (top: Command, terminal: Terminal): void => {
  top
    .addOption(
      new Option("--interval <seconds>", "seconds between two looks")
        .argParser(interval)
        .default(5),
    )
    .option("--once", "print one picture and end, in a pipe too")
    .addHelpText(
      "after",
      examples(
        "footfall top",
        "footfall top --interval 15",
        "footfall top --once",
        "footfall top --once --json | jq .data.queues",
      ),
    )
    .action(async () => {
      const options = top.optsWithGlobals<TopOptions>()
      if (!options.once && !isLive(terminal)) {
        throw usageError(
          "top draws on a terminal, and there is none.",
          "Add --once for one picture.",
        )
      }
      if (!options.once && options.json) {
        throw usageError("A live picture is no JSON document.", "Add --once.")
      }
      const settled = await settle(terminal, top)
      const client = await clientOf(settled, "apiKey")
      const { baseUrl } = settled.settings
      const hasLogin = credentialSent(settled.settings, "accessToken") !== null
      const { Lookout } = await import("../../top/look.ts")
      const lookout = new Lookout({ client, baseUrl, hasLogin })
      if (!options.once) {
        const { watch } = await import("../../top/watch.tsx")
        return watch(terminal, { lookout, server: baseUrl, intervalSeconds: options.interval })
      }
      const sight = await lookout.look(() => terminal.now, new AbortController().signal)
      if (options.json) return writeOut(terminal, jsonDocument({ data: sight }))
      const [{ drawn }, { TopView }] = await Promise.all([
        import("../../screens/drawn.ts"),
        import("../../screens/TopView.tsx"),
      ])
      const columns = screenColumns(terminal)
      const size = { screenColumns: columns, screenRows: ROWS_OF_ONE_PICTURE }
      const picture = { sight, server: baseUrl, footer: "", trouble: null, ...size }
      await writeOut(terminal, drawn(TopView, picture, columns))
    })
}

/** It may scroll, so it shows more than fits on the smallest screens. */
const ROWS_OF_ONE_PICTURE = 36

const isLive = ({ stdin, stdout }: Terminal): boolean => stdin.isTTY && stdout.isTTY

const interval = (text: string): number => {
  const seconds = Number(text)
  const isWhole = /^\d+$/.test(text)
  if (isWhole && seconds >= INTERVAL_MIN_SECONDS && seconds <= INTERVAL_MAX_SECONDS) return seconds
  throw new InvalidArgumentError(
    `Expected seconds from ${INTERVAL_MIN_SECONDS} to ${INTERVAL_MAX_SECONDS}.`,
  )
}
