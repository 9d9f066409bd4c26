// The starter catalog: the topics that ship with the server, each with words (spec 19.1). An installation's own topics
// win: if another topic has the id, the starter topic is skipped.
import { Context, Effect, FileSystem, Layer, Stream } from "effect"
import { ImportKinds } from "../../people/imports/import-kind.ts"
import { Imports } from "../../people/imports/imports.ts"
import { Catalog } from "./catalog/catalog.ts"

export interface LoadedTopics {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** Skipped because other topics have their ids. */
  readonly leftOut: number
}

const make = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const imports = yield* Imports
    const kinds = yield* ImportKinds
    const catalog = yield* Catalog

    /** The file ships with the server; its values contain no comma, quote or line break. */
    const csv = files.readFileString(file)

    return {
      csv,
      /** How many topics the starter catalog has. */
      count: Effect.map(csv, (text) => text.trim().split("\n").length - 1),
      /**
       * Loads the starter catalog for the operator organization.
       *
       * *Guarantee*: a second call changes nothing; a topic of another name keeps its id.
       */
      load: Effect.fn("StarterTopics.load")(function* (organizationId: string) {
        const [header = "", ...lines] = (yield* csv).trim().split("\n")
        const known = yield* catalog.byId
        const loaded = lines.filter((line) => {
          const [topicId, topicName] = line.split(",")
          const present = known.get(Number(topicId))
          return present === undefined || present.topicName === topicName
        })
        const { inserted, unchanged, updated } = yield* imports.run({
          kind: kinds.topics,
          format: "csv",
          input: Stream.make(new TextEncoder().encode([header, ...loaded].join("\n"))),
          organizationId,
          isShared: false,
          actor: { type: "operator" },
        })
        const leftOut = lines.length - loaded.length
        return { inserted, updated, unchanged, leftOut } satisfies LoadedTopics
      }),
    }
  })

export class StarterTopics extends Context.Service<
  StarterTopics,
  Effect.Success<ReturnType<typeof make>>
>()("@footfall/server/topics/StarterTopics") {
  /** `file`: path of the server's topics.csv. */
  static readonly layer = (file: string) => Layer.effect(StarterTopics, make(file))
}
