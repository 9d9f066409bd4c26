// `footfall pixels`: the scripts on the sites.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addPixelsCreate } from "./create.ts"
import { addPixelsDelete } from "./delete.ts"
import { addPixelsGet } from "./get.ts"
import { addPixelsList } from "./list.ts"
import { addPixelsUpdate } from "./update.ts"
import { addPixelsVerify } from "./verify.ts"

/** Adds its commands to the group. */
export const addPixelCommands = (pixels: Command, terminal: Terminal): void => {
  addPixelsList(pixels, terminal)
  addPixelsGet(pixels, terminal)
  addPixelsCreate(pixels, terminal)
  addPixelsUpdate(pixels, terminal)
  addPixelsDelete(pixels, terminal)
  addPixelsVerify(pixels, terminal)
}
