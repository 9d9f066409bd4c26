// A program that runs the embedded Postgres of the directory it is given until it is ended, as a
// server does. It prints "ready" once. Tests kill it to see what it leaves.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { startEmbedded } from "../../src/database/embedded.ts"

const [directory = ""] = process.argv.slice(2)

startEmbedded(directory).pipe(
  Effect.andThen(Console.log("ready")),
  Effect.andThen(Effect.never),
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  NodeRuntime.runMain,
)
