// Sends a ready mail when a run completes, if SMTP is configured and a member created the audience (spec 2.11). Queues
// the file and the mail in the transaction that completes the run.
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { Mail } from "../../../../platform/outbound/mail/mail.ts"
import type { Run } from "../../run.ts"
import { exportFileName } from "../export.ts"
import { ExportStore } from "../store.ts"
import { ReadyMailStore } from "./store.ts"

const make = Effect.gen(function* () {
  const mail = yield* Mail
  const exports = yield* ExportStore
  const store = yield* ReadyMailStore
  const random = yield* SecureRandom.SecureRandom

  return {
    /** Runs in the transaction that completes the run. */
    completed: Effect.fnUntraced(function* ({
      audienceId,
      id: runId,
      organizationId,
    }: Pick<Run, "id" | "audienceId" | "organizationId">) {
      if (!mail.isConfigured) return
      const key = { organizationId, audienceId, runId }
      const userId = yield* store.creator(key)
      const run = yield* exports.lockRun(key)
      if (userId === undefined || run === undefined) return
      const { id: exportId } = yield* exports.insert(key, {
        id: yield* random.uuidV4(),
        exportType: "csv",
        fileName: exportFileName(run, ".csv"),
        requestedBy: userId,
      })
      yield* store.insert(key, { exportId, userId })
    }),
  }
})

export class ReadyMails extends Context.Service<ReadyMails, Effect.Success<typeof make>>()(
  "@footfall/server/runs/ReadyMails",
) {
  static readonly layer = Layer.effect(ReadyMails, make)
}
