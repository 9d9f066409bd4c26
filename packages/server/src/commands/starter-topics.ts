// `footfall-server starter-topics`: loads the starter catalog into an existing installation, as `init` offers to.
import { Effect } from "effect"
import { Imports } from "../people/import/imports.ts"
import { type LoadedTopics, StarterTopics } from "../topics/starter-topics.ts"
import { NoOrganization } from "./import.ts"
import { Output } from "./output.ts"

export const loadStarterTopics = Effect.fn("loadStarterTopics")(function* () {
  const starter = yield* StarterTopics
  const output = yield* Output
  const organizationId = yield* (yield* Imports).operatorOrganization
  if (organizationId === undefined) return yield* new NoOrganization()
  const loaded = yield* starter.load(organizationId)
  yield* output.result(loaded, textOf(loaded))
})

const textOf = ({ inserted, leftOut, unchanged, updated }: LoadedTopics): string =>
  [
    `Starter topics: ${inserted} added, ${updated} updated, ${unchanged} unchanged.`,
    ...(leftOut === 0 ? [] : [`${leftOut} left out: the catalog has other topics with their ids.`]),
    "",
    "Next: footfall pixels suggest-topics <domain>",
  ].join("\n")
