// Makes the list equal a file. Changes that fit into one request replace the list in one step; larger ones are added
// and removed in several requests and can be repeated.

import type { Footfall, SuppressionRuleInput, SuppressionRuleType } from "@footfall/sdk"
import { join } from "node:path"
import { LimitWatch } from "../retry/limit-watch.ts"
import { withRetries } from "../retry/retry.ts"
import { countText, rateText, timeLeftText } from "../ui/text.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { showWork, type Work } from "../terminal/work.ts"
import { changesTo, PAGE_SIZE, sumOf, type Changes, type ChangeSpools } from "./changes.ts"
import { RULES_PER_REQUEST } from "./rule-types.ts"
import { inChunks, requestOptions } from "./send-rules.ts"
import { prepareShown } from "./prepare-shown.ts"
import { keepHeapSmall, type PrepareRequest } from "./prepare.ts"
import type { Prepared } from "./prepared.ts"
import { checkRejectedFile } from "./rejected-file.ts"
import { checkGivesRules } from "./removals.ts"
import { spooledRules, withTemporaryFolder } from "./rule-spool.ts"

/** `replace` is atomic, `add_and_remove` is not. */
export type ChangeMethod = "none" | "replace" | "add_and_remove"

/** What has to change, and how to change it. */
export interface ListPlan {
  readonly server: string
  readonly organization: string
  /** Null compares all types. */
  readonly types: ReadonlyArray<SuppressionRuleType> | null
  readonly prepared: Prepared
  readonly changes: Changes
  readonly method: ChangeMethod
}

type PlanRequest = PrepareRequest & { readonly onPlan?: (plan: ListPlan) => Promise<void> }

/**
 * Makes a plan. With `onPlan`, applies it once `onPlan` agrees. Errors: usage, also if a file to apply contains no
 * rules; those of the server; whatever `onPlan` throws.
 */
export const runPlan = (
  terminal: Terminal,
  client: Footfall,
  request: PlanRequest,
): Promise<ListPlan> => {
  keepHeapSmall()
  return withTemporaryFolder("plan", async (folder) => {
    const spools = {
      wanted: join(folder, "wanted"),
      additions: join(folder, "additions"),
      removals: join(folder, "removals"),
    }
    const plan = await planOf(terminal, client, request, spools)
    if (request.onPlan !== undefined && plan.method !== "none") {
      await request.onPlan(plan)
      await apply(terminal, client, plan, spools)
    }
    return plan
  })
}

const planOf = async (
  terminal: Terminal,
  client: Footfall,
  request: PlanRequest,
  spools: ChangeSpools,
): Promise<ListPlan> => {
  for (const file of request.rejectedFiles) if (file !== null) checkRejectedFile(file)
  const { organization } = await client.account.get()
  const prepared = await prepareShown(terminal, request, spools.wanted)
  if (request.onPlan !== undefined) checkGivesRules(prepared)
  let done = 0
  let total = 0
  const limit = new LimitWatch()
  const work = await showWork(terminal, (elapsedMs) => {
    const limitSeconds = limit.secondsFor(Math.ceil((total - done) / PAGE_SIZE))
    const advance = { done, left: total - done, elapsedMs, limitSeconds }
    return {
      title: "Comparing with the existing rules",
      fraction: null,
      figures: [`${countText(done)} rules`, timeLeftText(advance)].filter((each) => each !== null),
    }
  })
  try {
    const changes = await changesTo(client, spools, request.types, {
      waiting: work.waiting,
      hooks: limit.hooks,
      onRules: (count, all) => {
        done += count
        total = all
        work.update()
      },
    })
    return {
      server: client.baseUrl,
      organization: organization.name,
      types: request.types ?? null,
      prepared,
      changes,
      method: methodFor(prepared, changes),
    }
  } finally {
    work.end()
  }
}

const methodFor = ({ rules }: Prepared, { additions, removals }: Changes): ChangeMethod => {
  if (sumOf(additions) + sumOf(removals) === 0) return "none"
  return rules <= RULES_PER_REQUEST ? "replace" : "add_and_remove"
}

const apply = async (
  terminal: Terminal,
  client: Footfall,
  plan: ListPlan,
  spools: ChangeSpools,
): Promise<void> => {
  const { changes, method } = plan
  const left = sumOf(changes.additions) + sumOf(changes.removals)
  let done = 0
  const limit = new LimitWatch()
  const options = { ...requestOptions, hooks: limit.hooks }
  const work = await showWork(
    terminal,
    (elapsedMs) => {
      const limitSeconds = limit.secondsFor(Math.ceil((left - done) / RULES_PER_REQUEST))
      const advance = { done, left: left - done, elapsedMs, limitSeconds }
      return {
        title: "Applying",
        fraction: method === "replace" ? null : done / left,
        figures: [
          `${countText(done)} of ${countText(left)} changes`,
          rateText(advance, "changes"),
          timeLeftText(advance),
        ].filter((figure) => figure !== null),
      }
    },
    () =>
      method === "replace"
        ? "Interrupted: the list was either fully replaced or not changed."
        : `Interrupted after ${countText(done)} changes. Run the same command again to continue.`,
  )
  const onDone = (count: number): void => {
    done += count
    work.update()
  }
  try {
    if (method === "replace") await replace(client, spools.wanted, plan, work)
    else {
      // Adds first, so that a person who stays suppressed is never briefly unsuppressed.
      await inChunks(spools.additions, work, onDone, (rules) =>
        client.suppression.add(rules, options),
      )
      await inChunks(spools.removals, work, onDone, (rules) =>
        client.suppression.remove({ rules }, options),
      )
    }
  } finally {
    work.end()
  }
}

const replace = async (
  client: Footfall,
  wanted: string,
  { types, prepared }: ListPlan,
  { waiting }: Work,
): Promise<void> => {
  const rules: Array<SuppressionRuleInput> = []
  for (const { type, value } of spooledRules(wanted)) rules.push({ type, value })
  // Only the list that was confirmed may replace the existing one.
  if (rules.length !== prepared.rules) throw new Error("The saved rules do not match the plan.")
  const params = types === null ? { rules, confirmClearAll: prepared.isEmpty } : { rules, types }
  await withRetries(() => client.suppression.replace(params, requestOptions), waiting)
}
