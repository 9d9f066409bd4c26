// Removes the rules in a file: reads, checks, confirms, then sends. Missing rules are skipped, so a removal that
// stopped can be run again.

import type { Footfall } from "@footfall/sdk"
import { join } from "node:path"
import { countText, rateText, timeLeftText } from "../ui/text.ts"
import { LimitWatch } from "../retry/limit-watch.ts"
import { withRetries } from "../retry/retry.ts"
import { reportWaits, showWork } from "../terminal/work.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { RULES_PER_REQUEST } from "./rule-types.ts"
import { inChunks, requestOptions } from "./send-rules.ts"
import { prepareShown } from "./prepare-shown.ts"
import { keepHeapSmall, type PrepareRequest } from "./prepare.ts"
import type { Prepared } from "./prepared.ts"
import { checkRejectedFile } from "./rejected-file.ts"
import { withTemporaryFolder } from "./rule-spool.ts"

/** The result of a removal. */
export interface RuleRemoval {
  readonly prepared: Prepared
  readonly deleted: number
  /** Remaining rules. */
  readonly total: number
}

/**
 * `onRead` gets the contents of the file and the number of existing rules before anything is sent; an error it throws
 * ends the removal. Errors: usage, those of the server, whatever `onRead` throws.
 */
export const runRemoval = (
  terminal: Terminal,
  client: Footfall,
  request: PrepareRequest & {
    readonly onRead: (prepared: Prepared, present: number) => Promise<void>
  },
): Promise<RuleRemoval> => {
  keepHeapSmall()
  for (const file of request.rejectedFiles) if (file !== null) checkRejectedFile(file)
  return withTemporaryFolder("remove", async (folder) => {
    const spool = join(folder, "rules")
    const prepared = await prepareShown(terminal, request, spool)
    const { meta } = await withRetries(
      async () => client.suppression.list({ limit: 1 }, requestOptions),
      reportWaits(terminal),
    )
    await request.onRead(prepared, meta.total)
    const removed = await removeShown(terminal, client, spool, prepared.rules)
    return { prepared, ...removed, total: removed.total ?? meta.total }
  })
}

const removeShown = async (
  terminal: Terminal,
  client: Footfall,
  spool: string,
  rules: number,
): Promise<{ readonly deleted: number; readonly total: number | null }> => {
  let deleted = 0
  let total: number | null = null
  let done = 0
  const limit = new LimitWatch()
  const options = { ...requestOptions, hooks: limit.hooks }
  const work = await showWork(
    terminal,
    (elapsedMs) => {
      const limitSeconds = limit.secondsFor(Math.ceil((rules - done) / RULES_PER_REQUEST))
      const advance = { done, left: rules - done, elapsedMs, limitSeconds }
      return {
        title: "Removing",
        fraction: rules === 0 ? null : done / rules,
        figures: [
          `${countText(done)} of ${countText(rules)} rules`,
          rateText(advance, "rules"),
          timeLeftText(advance),
        ].filter((figure) => figure !== null),
      }
    },
    () =>
      `Interrupted after ${countText(done)} rules. Run the same command again to remove the rest.`,
  )
  try {
    await inChunks(
      spool,
      work,
      (count) => {
        done += count
        work.update()
      },
      async (chunk) => {
        const removal = await client.suppression.remove({ rules: chunk }, options)
        deleted += removal.deleted
        total = removal.total
      },
    )
  } finally {
    work.end()
  }
  return { deleted, total }
}
