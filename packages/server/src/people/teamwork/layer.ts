// Wires owners, tags and notes together.
import { Layer } from "effect"
import { MarksHandlers } from "./marks/handlers.ts"
import { Marks } from "./marks/marks.ts"
import { MarkStore } from "./marks/store.ts"
import { NotesHandlers } from "./notes/handlers.ts"
import { Notes } from "./notes/notes.ts"
import { NoteStore } from "./notes/store.ts"

export const TeamworkServices = Layer.mergeAll(
  Layer.provide(Marks.layer, MarkStore.layer),
  Layer.provide(Notes.layer, NoteStore.layer),
)

/** The endpoints of this room. */
export const TeamworkHandlers = Layer.merge(MarksHandlers, NotesHandlers)
