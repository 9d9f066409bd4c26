// Makes the list equal a file. Changes that fit into one request replace the list in one step; larger ones are added
// and removed in several requests and can be repeated.

import type { Footfall, SuppressionRuleInput } from "@footfall/sdk"
import { join } from "node:path"
import { noCounts } from "@footfall/normal-form/reading"
import { usageError } from "../errors/cli-error.ts"
import { LimitWatch } from "../retry/limit-watch.ts"
import { withRetries } from "../retry/retry.ts"
import { counted, countText, rateText, timeLeftText } from "../ui/text.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { reportWaits, showWork, type Work } from "../terminal/work.ts"
import type { ChangeMethod, ListPlan } from "./list-plan.ts"
import { changesTo, PAGE_SIZE, sumOf, type Changes, type ChangeSpools } from "./changes.ts"
import { RULES_PER_REQUEST, ruleTypes } from "./rule-types.ts"
import { accountShown, inChunks, requestOptions } from "./send-rules.ts"
import { prepareShown } from "./prepare-shown.ts"
import { keepHeapSmall, type PrepareRequest } from "./prepare.ts"
import type { Prepared } from "./prepared.ts"
import { checkRejectedFile } from "./rejected-file.ts"
import { checkPlanFile, type ListState, readPlan, writePlan } from "./plan-file.ts"
import { checkGivesRules, checkNotEmpty } from "./removals.ts"
import { spooledRules, withTemporaryFolder } from "./rule-spool.ts"
import { requireReadable } from "./source-file.ts"

type PlanRequest = PrepareRequest & {
  /** The file to write the plan to. */
  readonly out?: string | undefined
  /** Whether a file without rows may be applied. */
  readonly isEmptyAllowed: boolean
  readonly onPlan?: (plan: ListPlan) => Promise<void>
}

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
  if (request.out !== undefined) checkPlanFile(request.out)
  return withTemporaryFolder("plan", async (folder) => {
    const spools = spoolsIn(folder)
    const plan = await planOf(terminal, client, request, spools)
    if (request.onPlan !== undefined && plan.method !== "none") {
      await request.onPlan(plan)
      await apply(terminal, client, plan, spools)
    }
    return plan
  })
}

/**
 * Applies a plan from a file. Errors: usage, if the list has changed since, or belongs to another organization or
 * server; those of the server; whatever `onPlan` throws.
 */
export const runPlanFile = (
  terminal: Terminal,
  client: Footfall,
  {
    file,
    isEmptyAllowed,
    onPlan,
  }: {
    readonly file: string
    readonly isEmptyAllowed: boolean
    readonly onPlan: (plan: ListPlan) => Promise<void>
  },
): Promise<ListPlan> => {
  keepHeapSmall()
  return withTemporaryFolder("plan", async (folder) => {
    const spools = spoolsIn(folder)
    const { counts, list, organizationId, plan: planned } = await readPlan(file, spools)
    const { organization } = await accountShown(terminal, client)
    if (planned.server !== client.baseUrl || organizationId !== organization.id) {
      throw usageError(
        `${file} is a plan for ${planned.organization} on ${planned.server}, not for ${organization.name} on ${client.baseUrl}. Nothing was sent.`,
      )
    }
    const state = await listState(terminal, client)
    if (JSON.stringify(state) !== JSON.stringify(list)) {
      throw usageError(
        `The list has changed since ${file} was created. Nothing was sent.`,
        "Create it again with: footfall suppression plan",
      )
    }
    // Counted again, so that the guards hold for what is sent.
    const { additions, removals } = counts
    const present = noCounts()
    for (const type of planned.types ?? ruleTypes) present[type] = state.counts[type]
    const changes = { ...planned.changes, present, additions, removals }
    const plan = { ...planned, changes }
    if (plan.method === "none") return plan
    checkGivesRules(plan.prepared)
    if (!isEmptyAllowed) checkNotEmpty(plan.prepared)
    await onPlan(plan)
    await apply(terminal, client, plan, spools)
    return plan
  })
}

const spoolsIn = (folder: string): ChangeSpools => ({
  wanted: join(folder, "wanted"),
  additions: join(folder, "additions"),
  removals: join(folder, "removals"),
})

/** New rules come first, so every change of the list changes the newest rule or the counts. */
const listState = async (terminal: Terminal, client: Footfall): Promise<ListState> => {
  const { data, meta } = await withRetries(
    async () => client.suppression.list({ limit: 1 }, requestOptions),
    reportWaits(terminal),
  )
  return { counts: meta.counts, newest: data[0]?.id ?? null }
}

const planOf = async (
  terminal: Terminal,
  client: Footfall,
  request: PlanRequest,
  spools: ChangeSpools,
): Promise<ListPlan> => {
  for (const file of request.rejectedFiles) if (file !== null) checkRejectedFile(file)
  for (const file of request.files) if (file !== "-") requireReadable(file)
  const { organization } = await accountShown(terminal, client)
  const prepared = await prepareShown(terminal, request, spools.wanted)
  if (request.onPlan !== undefined) {
    if (!request.isEmptyAllowed) checkNotEmpty(prepared)
    checkGivesRules(prepared)
  }
  const list = request.out === undefined ? null : await listState(terminal, client)
  let done = 0
  let total = 0
  const limit = new LimitWatch()
  const work = await showWork(terminal, (elapsedMs) => {
    const limitSeconds = limit.secondsFor(Math.ceil((total - done) / PAGE_SIZE))
    const advance = { done, left: total - done, elapsedMs, limitSeconds }
    return {
      title: "Comparing with the existing rules",
      fraction: null,
      figures: [counted(done, "rule"), timeLeftText(advance)].filter((each) => each !== null),
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
    const plan: ListPlan = {
      server: client.baseUrl,
      organization: organization.name,
      types: request.types ?? null,
      prepared,
      changes,
      method: methodFor(prepared, changes),
    }
    if (request.out !== undefined && list !== null) {
      const createdAt = new Date().toISOString()
      const header = {
        footfallPlan: 1,
        organizationId: organization.id,
        createdAt,
        list,
        plan,
      } as const
      writePlan(request.out, header, spools)
    }
    return plan
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
