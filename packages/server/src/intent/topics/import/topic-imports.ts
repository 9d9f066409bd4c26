// The import of the topic catalog, which the operator owns and everyone shares (spec 2.19).
import { Context, Effect, Layer } from "effect"
import { mergedImport } from "../../../people/imports/merged-import.ts"
import { overlaid } from "../../../people/imports/record-reader.ts"
import { TopicImportStore } from "./store.ts"
import { topicReader, topicRow } from "./topic-row.ts"

const make = Effect.map(TopicImportStore, (store) => ({
  kind: mergedImport({
    name: "topics",
    data: "topics",
    sharing: "always",
    neededColumns: ["topicId", "topicName", "type", "industry", "category"].map((name) => [name]),
    reader: topicReader,
    row: topicRow,
    combine: (earlier, later) => ({
      key: later.key,
      submitted: overlaid(earlier.submitted, later.submitted),
    }),
    admit: (_, rows) => Effect.as(store.lock, rows),
    write: store.merge,
  }),
}))

export class TopicImports extends Context.Service<TopicImports, Effect.Success<typeof make>>()(
  "@footfall/server/topics/TopicImports",
) {
  static readonly layer = Layer.effect(TopicImports, make)
}
