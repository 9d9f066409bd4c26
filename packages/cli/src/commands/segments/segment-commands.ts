// `footfall segments`: rules with a name.

import type { Command } from "commander"
import type { Terminal } from "../../terminal/terminal.ts"
import { addSegmentsCreate } from "./create.ts"
import { addSegmentsDelete } from "./delete.ts"
import { addSegmentsGet } from "./get.ts"
import { addSegmentsList } from "./list.ts"
import { addSegmentsPreview } from "./preview.ts"
import { addSegmentsUpdate } from "./update.ts"

/** Adds its commands to the group. */
export const addSegmentCommands = (segments: Command, terminal: Terminal): void => {
  addSegmentsList(segments, terminal)
  addSegmentsGet(segments, terminal)
  addSegmentsCreate(segments, terminal)
  addSegmentsUpdate(segments, terminal)
  addSegmentsDelete(segments, terminal)
  addSegmentsPreview(segments, terminal)
}
