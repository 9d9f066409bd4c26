// Every command but `start`: a bundle of its own (docs/adr/0005).
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, type Scope } from "effect"
import type { ConfigOptions } from "../config/options.ts"
import { doctor as examine } from "./doctor.ts"
import type { Output } from "./output.ts"
import { type JsonFlag, outputOf, run } from "./run.ts"
import { BareDatabase, CommandServices } from "./services.ts"

export { importFile, loadStarterTopics } from "./import.ts"
export { init, migrate } from "./init.ts"
export { createKey, listKeys, revokeKey } from "./keys.ts"
export {
  addMember,
  listMembers,
  listOrganizations,
  resetMember,
  setOrganization,
} from "./organizations.ts"
export { resetSecrets, rotateSecrets } from "./secrets.ts"
export { copySignals } from "./signals.ts"
export { issueToken } from "./token.ts"

type Provided = NodeServices.NodeServices | Output | Scope.Scope

/** Runs a command with the services of commands. */
export const runCommand = <E>(
  flags: JsonFlag,
  effect: Effect.Effect<void, E, Layer.Success<ReturnType<typeof CommandServices>> | Provided>,
  options: ConfigOptions = {},
): Promise<void> =>
  run(Layer.provideMerge(CommandServices(options), NodeServices.layer), flags, effect)

/** Runs a command with only the database, whatever its schema, and without the secret. */
export const runBare = <E>(
  flags: JsonFlag,
  effect: Effect.Effect<void, E, Layer.Success<ReturnType<typeof BareDatabase>> | Provided>,
): Promise<void> => run(Layer.provideMerge(BareDatabase({}), NodeServices.layer), flags, effect)

/** True if nothing is wrong. */
export const doctor = ({ json }: JsonFlag, options: ConfigOptions): Promise<boolean> =>
  Effect.runPromise(Effect.provide(examine(options), [NodeServices.layer, outputOf(json === true)]))
