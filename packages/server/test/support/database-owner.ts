// Runs the embedded Postgres of a directory until it is ended, as a server does. It prints "ready" once. Tests kill it
// to see what it leaves behind, or choose how it ends itself.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { startEmbedded } from "../../src/platform/database/embedded.ts"

const [directory = "", way = "never"] = process.argv.slice(2)

const end = Effect.callback<never>(() => {
  if (way === "exit") process.exit(0)
  if (way === "throw") setTimeout(() => JSON.parse("{"), 1)
})

startEmbedded(directory).pipe(
  Effect.andThen(Console.log("ready")),
  Effect.andThen(end),
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain,
)
