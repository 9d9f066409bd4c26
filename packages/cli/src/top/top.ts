// `footfall top`: visitors, queues and running work, live or once with --once.

import { InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import { clientOf, waitHooks } from "../connection/connect.ts"
import { credentialSent, loadSettings } from "../connection/settings.ts"
import { usageError } from "../errors/cli-error.ts"
import { jsonDocument } from "../output/json.ts"
import { screenColumns, type Terminal, writeOut } from "../terminal/terminal.ts"

interface TopOptions {
  readonly interval: number
  readonly once?: true
}

/** A shorter interval would use up a good part of one key's rate limit. */
const INTERVAL_MIN_SECONDS = 2

const INTERVAL_MAX_SECONDS = 3600

export const topCommand = define<TopOptions>("top", {
  takes: (command) =>
    command
      .addOption(
        new Option("--interval <seconds>", "seconds between updates")
          .argParser(interval)
          .default(5),
      )
      .option("--once", "print one screen and exit (also works in a pipe)"),
  examples: [
    "footfall top",
    "footfall top --interval 15",
    "footfall top --once",
    "footfall top --once --json | jq .data.queues",
  ],
  run: async ({ options, terminal, command: top }) => {
    if (!options.once && !isLive(terminal)) {
      throw usageError("top needs a terminal.", "Add --once to print one screen.")
    }
    if (!options.once && options.json) {
      throw usageError("A live screen cannot be printed as JSON.", "Add --once.")
    }
    const loaded = await loadSettings(terminal, top)
    const client = await clientOf(loaded, "apiKey", options.once ? waitHooks(terminal) : undefined)
    const { baseUrl } = loaded.settings
    const hasLogin = credentialSent(loaded.settings, "accessToken") !== null
    const { SnapshotReader } = await import("./snapshot.ts")
    const reader = new SnapshotReader({ client, baseUrl, hasLogin })
    if (!options.once) {
      const { watch } = await import("./watch.tsx")
      return watch(terminal, { reader, server: baseUrl, intervalSeconds: options.interval })
    }
    const snapshot = await reader.read(() => terminal.now, new AbortController().signal)
    if (options.json) return writeOut(terminal, jsonDocument({ data: snapshot }))
    const [{ drawn }, { TopView }] = await Promise.all([
      import("../ui/drawn.ts"),
      import("./views.tsx"),
    ])
    const columns = screenColumns(terminal)
    const size = { screenColumns: columns, screenRows: ONCE_ROWS }
    const screen = { snapshot, server: baseUrl, footer: "", warning: null, ...size }
    await writeOut(terminal, drawn(TopView, screen, columns))
  },
})

/** It may scroll, so it shows more than the smallest screens fit. */
const ONCE_ROWS = 36

const isLive = ({ stdin, stdout }: Terminal): boolean => stdin.isTTY && stdout.isTTY

const interval = (text: string): number => {
  const seconds = Number(text)
  const isInteger = /^\d+$/.test(text)
  if (isInteger && seconds >= INTERVAL_MIN_SECONDS && seconds <= INTERVAL_MAX_SECONDS)
    return seconds
  throw new InvalidArgumentError(
    `Expected seconds from ${INTERVAL_MIN_SECONDS} to ${INTERVAL_MAX_SECONDS}.`,
  )
}
