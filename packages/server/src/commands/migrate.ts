// `footfall-server migrate`: brings the schema up to date, without starting a server. Safe beside
// running servers and repeatable.
import { Effect } from "effect"
import { Migrations } from "../database/migrations.ts"
import { Output } from "./output.ts"

export const migrate = Effect.fn("migrate")(function* () {
  const output = yield* Output
  const applied = yield* Migrations.run
  yield* output.result(
    { applied },
    applied.length === 0 ? "The schema is up to date." : `Applied ${applied.join(", ")}.`,
  )
})
