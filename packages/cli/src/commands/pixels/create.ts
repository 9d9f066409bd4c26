// `footfall pixels create`: makes a pixel for a site and shows the tag to paste.

import type { PixelSettingsChanges } from "@footfall/sdk"
import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printResult } from "../../output/print-result.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { settingOption } from "./pixel-settings.ts"
import { pixelText } from "./pixel-text.ts"

/** As commander hands them over. */
interface CreateOptions extends GlobalOptions {
  readonly name?: string
  readonly set?: PixelSettingsChanges
}

/** Adds the command to its group. */
export const addPixelsCreate = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("create")
    .description("make a pixel for a site, and show the tag to paste")
    .argument("<domain>", "domain of the site")
    .option("--name <name>", "name of the pixel (default: the domain)")
    .addOption(settingOption())
    .addHelpText(
      "after",
      examples(
        "footfall pixels create example.com",
        "footfall pixels create example.com --name Shop --set consent=required --set spa=hash",
      ),
    )
    .action(async (domain: string, _options, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const client = await connect(terminal, command)
      const pixel = await client.pixels.create({
        domain,
        name: options.name,
        settings: options.set,
      })
      await printResult(terminal, options, pixel, pixelText(terminal, pixel))
    })
}
