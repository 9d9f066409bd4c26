// `footfall pixels delete`: takes a pixel away. What it recorded stays; the tag on the page does
// nothing any more.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import { requireConsent } from "../../terminal/consent.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { pixelIdOf } from "./pixel-reference.ts"

/** Adds the command to its group. */
export const addPixelsDelete = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("delete")
    .description("delete a pixel; what it recorded stays")
    .argument("<pixel>", "its id or its domain")
    .option("--yes", "do it without asking")
    .addHelpText("after", examples("footfall pixels delete old.example.com"))
    .action(async (reference: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly yes?: true }>()
      const client = await connect(terminal, command)
      await requireConsent(terminal, {
        what: `The pixel ${reference} will be deleted: its tag records nothing any more.`,
        isGiven: options.yes === true,
      })
      const id = await pixelIdOf(client, reference)

      const deleted = await client.pixels.delete(id)

      await printResult(terminal, options, { id, ...deleted }, () =>
        lines(`The pixel ${reference} is deleted. The tag can go from the page.`),
      )
    })
}
