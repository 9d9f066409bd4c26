// `footfall pixels`: the scripts on the sites.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addPixelsList } from "./list.ts"

/** Adds the group to the program. */
export const addPixelCommands = (program: Command, terminal: Terminal): void => {
  const pixels = program
    .command("pixels")
    .description("the pixels on your sites")
    .helpCommand(false)
  addPixelsList(pixels, terminal)
}
