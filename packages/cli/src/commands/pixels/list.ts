// `footfall pixels list`: every pixel of the organization.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addWholeListOptions, cutList, type ListOptions } from "../list-options.ts"

/** Adds the command to its group. */
export const addPixelsList = (pixels: Command, terminal: Terminal): void => {
  const list = pixels
    .command("list")
    .description("list the pixels and when each last heard something")
  addWholeListOptions(list, "pixels")
    .addHelpText(
      "after",
      examples(
        "footfall pixels list",
        "footfall pixels list --json | jq -r '.data[] | select(.status == \"paused\") | .domain'",
      ),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ListOptions>()
      const client = await connect(terminal, command)
      const { rows, meta } = cutList(await client.pixels.list(), options)
      await printRows(terminal, options, {
        data: rows,
        meta,
        rows,
        csvColumns: pixelColumns,
        drawn: async (columns) => {
          const [{ drawn }, { PixelTable }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/PixelTable.tsx"),
          ])
          const props = { pixels: rows, meta, now: terminal.now, screenColumns: columns }
          return drawn(PixelTable, props, columns)
        },
      })
    })
}

/** The fields of a pixel (spec 2.3); the settings as one JSON cell. */
const pixelColumns = [
  "id",
  "domain",
  "name",
  "status",
  "pausedReason",
  "excludedPaths",
  "includedPaths",
  "settings",
  "verifiedAt",
  "lastEventAt",
  "createdAt",
  "updatedAt",
] as const
