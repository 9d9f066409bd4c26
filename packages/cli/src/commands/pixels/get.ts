// `footfall pixels get`: one pixel with its tag.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { fieldsOption } from "../../output/output-format.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { pixelIdOf } from "./pixel-reference.ts"
import { pixelText } from "./pixel-text.ts"

/** Adds the command to its group. */
export const addPixelsGet = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("get")
    .description("show one pixel and its tag")
    .argument("<pixel>", "its id or its domain")
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall pixels get example.com",
        "footfall pixels get example.com --json | jq -r .data.code",
      ),
    )
    .action(async (reference: string, _options, command: Command) => {
      const client = await connect(terminal, command)
      const pixel = await client.pixels.get(await pixelIdOf(client, reference))
      const options = command.optsWithGlobals<GlobalOptions>()
      await printResult(terminal, options, pixel, pixelText(terminal, pixel))
    })
}
