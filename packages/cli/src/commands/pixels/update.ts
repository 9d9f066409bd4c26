// `footfall pixels update`: changes what is given of a pixel; what is not given stays.

import type { PixelSettingsChanges, PixelStatus, PixelUpdateParams } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { printResult } from "../../output/print-result.ts"
import { lines } from "../../terminal/lines.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { pixelIdOf } from "./pixel-reference.ts"
import { settingOption } from "./pixel-settings.ts"

/** As commander hands them over. */
interface UpdateOptions extends GlobalOptions {
  readonly name?: string
  readonly status?: PixelStatus
  readonly exclude?: ReadonlyArray<string>
  readonly include?: ReadonlyArray<string>
  readonly allPaths?: true
  readonly set?: PixelSettingsChanges
}

/** Adds the command to its group. */
export const addPixelsUpdate = (pixels: Command, terminal: Terminal): void => {
  pixels
    .command("update")
    .description("change a pixel, pause it, or let it go on")
    .argument("<pixel>", "its id or its domain")
    .option("--name <name>", "new name")
    .addOption(
      new Option("--status <status>", "paused records nothing").choices(["active", "paused"]),
    )
    .addOption(
      new Option("--exclude <path...>", "record nothing below these paths").conflicts([
        "include",
        "allPaths",
      ]),
    )
    .addOption(
      new Option("--include <path...>", "record nothing outside these paths").conflicts("allPaths"),
    )
    .option("--all-paths", "record every path again")
    .addOption(settingOption())
    .addHelpText(
      "after",
      examples(
        "footfall pixels update example.com --status paused",
        "footfall pixels update example.com --exclude /account /checkout",
        "footfall pixels update example.com --set consent=required --set cookieDomain=null",
      ),
    )
    .action(async (reference: string, _options, command: Command) => {
      const options = command.optsWithGlobals<UpdateOptions>()
      const changes = changesOf(options)
      if (Object.keys(changes).length === 0) {
        throw usageError("There is nothing to change.", "Run: footfall pixels update --help")
      }
      const client = await connect(terminal, command)

      const pixel = await client.pixels.update(await pixelIdOf(client, reference), changes)

      await printResult(terminal, options, pixel, () =>
        lines(`The pixel of ${pixel.domain} is changed; it is ${pixel.status}.`),
      )
    })
}

/** One list of paths takes the place of the other: a pixel has at most one. */
const changesOf = (options: UpdateOptions): PixelUpdateParams => ({
  ...(options.name === undefined ? {} : { name: options.name }),
  ...(options.status === undefined ? {} : { status: options.status }),
  ...(options.exclude === undefined ? {} : { excludedPaths: options.exclude, includedPaths: null }),
  ...(options.include === undefined ? {} : { includedPaths: options.include, excludedPaths: null }),
  ...(options.allPaths === undefined ? {} : { includedPaths: null, excludedPaths: null }),
  ...(options.set === undefined ? {} : { settings: options.set }),
})
