// A date's signals in Postgres: one row per block; only changed blocks are written.
import { Effect } from "effect"
import type { CopyConnection } from "../../../database/copy.ts"
import { copyBinary, copyDate, type CopyField } from "../../../people/import/copy-binary.ts"
import type { DateBlocks, TopicBlock } from "../remote-signals-store.ts"
import type { ImportedDate, SignalImportStore } from "./store.ts"

const columns = ["organization_id", "origin", "date", "topic_id", "score", "people"]

/** Use it inside the transaction of `copy`. */
export const postgresBlocks = (
  { date, organizationId }: ImportedDate,
  store: SignalImportStore["Service"],
  copy: CopyConnection["intoBinary"],
) => {
  const of = { date, organizationId }
  const day = copyDate(date)
  const rowOf = ({ people, score, topicId }: TopicBlock): ReadonlyArray<CopyField> => [
    { uuid: organizationId },
    { text: "import" },
    day,
    { integer: topicId },
    { smallint: score },
    { integers: people },
  ]
  return Effect.map(store.signalsOn(of), (signals): DateBlocks => ({
    signals,
    areTopicsWhole: false,
    signalsOf: (topicIds) => store.signalsOf(of, topicIds),
    blocks: (topicIds) => store.blocks(of, topicIds),
    write: Effect.fnUntraced(function* ({ gone, written }) {
      if (gone.length > 0) yield* store.removeBlocks(of, gone)
      yield* copy({ table: "signal", columns }, copyBinary(rowsOf(written, rowOf)))
    }),
    publish: (count) => store.writeDate(of, count),
  }))
}

function* rowsOf<Value>(
  values: Iterable<Value>,
  rowOf: (value: Value) => ReadonlyArray<CopyField>,
): Iterable<ReadonlyArray<CopyField>> {
  for (const value of values) yield rowOf(value)
}
