// `footfall segments get`: one segment with its whole rule.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { segmentId } from "./segment-id.ts"

/** Adds the command to its group. */
export const addSegmentsGet = (segments: Command, terminal: Terminal): void => {
  segments
    .command("get")
    .description("show one segment")
    .argument("<id>", "id of the segment", segmentId)
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall segments get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11",
        "footfall segments get 3f0c8a52-7f43-4a5e-9d0c-0d8f3c3b9a11 --json | jq .data.ruleAst > rule.json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const client = await connect(terminal, command, "either")
      const segment = await client.segments.get(id)
      await printResult(
        terminal,
        command.optsWithGlobals<GlobalOptions>(),
        segment,
        async (columns) => {
          const [{ drawn }, { SegmentView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/SegmentView.tsx"),
          ])
          return drawn(SegmentView, { segment, screenColumns: columns }, columns)
        },
      )
    })
}
