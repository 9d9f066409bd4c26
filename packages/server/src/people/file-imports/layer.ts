// Wires the file imports room together.
import { Layer } from "effect"
import { ImportApplication } from "./application.ts"
import { ImportChangesStore } from "./changes-store.ts"
import { ErasedValues } from "./erased-values.ts"
import { FileImports } from "./file-imports.ts"
import { FileImportStore } from "./store.ts"
import { ImportUndoStore } from "./undo-store.ts"
import { ImportUndo } from "./undo.ts"

/** The stores of this room. */
export const FileImportStores = Layer.mergeAll(
  FileImportStore.layer,
  ImportChangesStore.layer,
  ImportUndoStore.layer,
)

export const FileImportServices = Layer.mergeAll(
  FileImports.layer,
  ImportApplication.layer,
  ImportUndo.layer,
).pipe(Layer.provide(ErasedValues.layer))
