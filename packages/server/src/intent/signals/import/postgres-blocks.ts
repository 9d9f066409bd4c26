// A date's signals in Postgres: one row per block; only changed blocks are written.
import { Effect } from "effect"
import type { CopyConnection } from "../../../platform/database/copy.ts"
import { copyBinary, copyDate, copyUuid } from "../../../people/imports/copy-binary.ts"
import type { DateBlocks } from "../remote-signals-store.ts"
import type { ImportedDate, SignalImportStore } from "./store.ts"

const columns = ["organization_id", "origin", "date", "topic_id", "score", "people"]

/** Use it inside the transaction of `copy`. */
export const postgresBlocks = (
  { date, organizationId }: ImportedDate,
  store: SignalImportStore["Service"],
  copy: CopyConnection["intoBinary"],
) => {
  const key = { date, organizationId }
  const [organization, origin, day] = [
    copyUuid(organizationId),
    Buffer.from("import"),
    copyDate(date),
  ]
  return Effect.map(store.signalsOn(key), (signals): DateBlocks => ({
    signals,
    areTopicsWhole: false,
    signalsOf: (topicIds) => store.signalsOf(key, topicIds),
    blocks: (topicIds) => store.blocks(key, topicIds),
    topics: store.topicsOn(key),
    written: (topicIds) => store.blocks(key, topicIds),
    write: Effect.fnUntraced(function* ({ gone, written }) {
      if (gone.length > 0) yield* store.removeBlocks(key, gone)
      const pieces = copyBinary(written, ({ people, score, topicId }, row) => {
        row.begin(columns.length)
        row.bytes(organization)
        row.bytes(origin)
        row.bytes(day)
        row.integer(topicId)
        row.smallint(score)
        row.integers(people)
      })
      yield* copy({ table: "signal", columns }, pieces)
    }),
    publish: (count) => store.writeDate(key, count),
  }))
}
