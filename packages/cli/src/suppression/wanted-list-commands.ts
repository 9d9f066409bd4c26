// `footfall suppression plan` and `apply`: make the list match a file.

import type { SuppressionRuleType } from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import { note, screenColumns, type Terminal, warnOn } from "../terminal/terminal.ts"
import { figuresOf, printChange } from "./change-output.ts"
import {
  allowEmptyOption,
  allowRemovalsOption,
  isRuleType,
  rejectedFiles,
  type RemovalOptions,
  requireTerminalOrYes,
  ruleTypeOption,
} from "./options.ts"
import { ruleTypes } from "./rule-types.ts"
import type { PlanRequest, ServerPlan } from "./server-plan.ts"
import type { Source } from "./source.ts"

interface WantedListOptions {
  readonly type?: SuppressionRuleType
  readonly types?: ReadonlyArray<SuppressionRuleType>
  readonly column?: string
  readonly rejected?: string
}

type PlanOptions = WantedListOptions & { readonly exitCode?: true; readonly out?: string }

type ApplyOptions = WantedListOptions &
  RemovalOptions & { readonly yes?: true; readonly allowEmpty?: true }

/** What it takes to make the list equal the file. */
interface ListPlan extends ServerPlan {
  readonly server: string
  readonly organization: string
  readonly isApplied: boolean
}

export const wantedListCommands = [
  define<PlanOptions, [file: string]>("plan", {
    description:
      "Show which rules to add and remove so that the list matches a file, without changing\n" +
      "anything. Rules of types that are not in the file are removed too, unless --types leaves\n" +
      "them out. Exits with 0 whether or not there are changes; with --exit-code, with 7 if there are.\n" +
      "--out writes a plan file with a copy of the file, so that `apply` makes exactly these changes.",
    summary: "show what would make the list match a file",
    takes: (command) =>
      addWantedListOptions(command)
        .option("--exit-code", "exit with 7 if there are changes")
        .option("--out <file>", "write the plan to a file for `apply`; it contains addresses"),
    examples: [
      "footfall suppression plan rules.csv",
      "footfall suppression plan domains.txt --types domain",
      "footfall suppression plan rules.csv --exit-code --quiet",
      "footfall suppression plan rules.csv --out rules.plan",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      refuseTwoInputs(file, options)
      const client = await connect()
      const [{ accountShown, withPlan }, { sourceOf }, { checkPlanFile, draftPlan }] =
        await Promise.all([
          import("./server-plan.ts"),
          import("./source.ts"),
          import("./plan-file.ts"),
        ])
      const { out } = options
      if (out !== undefined) checkPlanFile(out)
      const source = sourceOf(terminal, file)
      const { organization } = await accountShown(terminal, client)
      const { column, rejected, type, types } = options
      const reading = { type, types, column }
      const draft = out === undefined ? null : await draftPlan(out, source)
      try {
        const planned = await withPlan(
          terminal,
          client,
          requestOf(draft?.source ?? source, reading, rejectedFiles([file], rejected)),
          async (made) => made,
        )
        const { listVersion, new: added, removed } = planned.plan
        draft?.finish({
          server: client.baseUrl,
          organizationId: organization.id,
          organization: organization.name,
          createdAt: terminal.now.toISOString(),
          file,
          ...reading,
          listVersion,
          new: added,
          removed,
        })
        const where = { server: client.baseUrl, organization: organization.name }
        const plan = { ...where, ...planned, isApplied: false }
        await printChange(terminal, options, () =>
          print(planJson(plan), (columns) => planDrawn(plan, columns)),
        )
        await warnOfRefusal(terminal, planned)
        if (out !== undefined) note(terminal, `To apply it: footfall suppression apply ${out}`)
        if (options.exitCode === true && hasChanges(planned)) terminal.endWith(ExitCode.changes)
        else if (planned.plan.rejected > 0) terminal.endWith(ExitCode.partial)
      } finally {
        draft?.forget()
      }
    },
  }),

  define<ApplyOptions, [file: string]>("apply", {
    description:
      "Make the list match a file: shows what to add and remove, and asks for confirmation. Then the\n" +
      "list is changed as a whole, or not at all. --types leaves rules of other types unchanged. To\n" +
      "remove more than half of a list of more than 100 rules, or if the file has other types than\n" +
      "the list, add --allow-removals or type the number. A file without rows is refused unless\n" +
      "--allow-empty is given, and a file with rows but without a valid rule always. The file can\n" +
      "also be a plan from `plan --out`; it is refused if the list has changed since.",
    summary: "make the list match a file",
    takes: (command) =>
      addWantedListOptions(command)
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowRemovalsOption())
        .addOption(allowEmptyOption()),
    examples: [
      "footfall suppression apply rules.csv",
      "footfall suppression apply rules.plan --yes",
      "footfall suppression apply domains.txt --types domain --yes",
      "footfall suppression apply rules.csv --yes --allow-removals 500",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      const [
        { accountShown, withPlan },
        { sourceOf },
        { checkPlanTarget, checkSamePlan, isPlanFile, readPlan },
        { checkGivesRules, checkNotEmpty },
      ] = await Promise.all([
        import("./server-plan.ts"),
        import("./source.ts"),
        import("./plan-file.ts"),
        import("./guards.ts"),
      ])
      const isPlan = isPlanFile(file)
      if (isPlan) refuseReadingOptions(file, options)
      refuseTwoInputs(file, options)
      requireTerminalOrYes(terminal, options)
      const client = await connect()
      const planned = isPlan ? readPlan(file) : null
      const source = planned?.source ?? sourceOf(terminal, file)
      const { organization } = await accountShown(terminal, client)
      const where = { server: client.baseUrl, organization: organization.name }
      if (planned !== null) {
        checkPlanTarget(file, planned.header, client.baseUrl, organization)
      }
      const { column, rejected, type, types } = options
      const request =
        planned === null
          ? requestOf(source, { type, types, column }, rejectedFiles([file], rejected))
          : requestOf(source, planned.header, [null])
      const plan = await withPlan(terminal, client, request, async (made, apply) => {
        if (planned !== null) checkSamePlan(file, planned.header, made.plan)
        const allowEmpty = options.allowEmpty === true
        checkNotEmpty(made, allowEmpty)
        checkGivesRules(made)
        if (hasChanges(made)) {
          await agree(terminal, { ...where, ...made, isApplied: false }, options)
          await apply({ allowEmpty })
        }
        return { ...where, ...made, isApplied: true }
      })

      await printChange(terminal, options, () =>
        print(planJson(plan), (columns) => planDrawn(plan, columns)),
      )
      if (plan.plan.rejected > 0) terminal.endWith(ExitCode.partial)
    },
  }),
]

const hasChanges = ({ plan }: ServerPlan): boolean => plan.new + plan.removed > 0

/** Errors: usage, for options that say how to read a file of rules. */
const refuseReadingOptions = (file: string, options: ApplyOptions): void => {
  const { column, rejected, type, types } = options
  if ([column, rejected, type, types].every((each) => each === undefined)) return
  throw usageError(
    `${file} is a plan: --type, --types, --column and --rejected belong to the plan.`,
    "Give them to: footfall suppression plan",
  )
}

/** Adds the argument and the options. */
const addWantedListOptions = (command: Command): Command =>
  command
    .argument(
      "<file>",
      "file with the rules, in any format that `import` reads; `-` for standard input",
    )
    .addOption(
      new Option("--types <types>", "only rules of these types, separated by commas").argParser(
        ruleTypesOf,
      ),
    )
    .addOption(ruleTypeOption("type of the values, if the file does not say"))
    .option("--column <name>", "column that contains the values, by name or by number from 1")
    .option("--rejected <file>", "file for rejected rows (default: FILE.rejected.csv)")

/** Errors: usage, for a key and rules from standard input. */
const refuseTwoInputs = (file: string, { apiKeyStdin }: GlobalOptions): void => {
  if (file !== "-" || apiKeyStdin === undefined) return
  throw usageError("Can't read both the API key and the rules from standard input.")
}

/** What to send, and how to read it. */
const requestOf = (
  source: Source,
  { column, type, types }: Pick<PlanRequest, "column" | "type" | "types">,
  rejectedFiles: PlanRequest["rejectedFiles"],
): PlanRequest => ({
  sources: [source],
  mode: "replace",
  type,
  types,
  column,
  rejectedFiles,
})

/** The document for programs. */
const planJson = ({ isApplied, organization, server, ...planned }: ListPlan) => {
  const { byType, sample, types } = planned.plan
  return {
    server,
    organization,
    types,
    method: hasChanges(planned) ? "replace" : "none",
    applied: isApplied,
    byType: Object.fromEntries(
      ruleTypes.map((type) => [
        type,
        {
          present: byType.stored[type],
          wanted: byType.rules[type],
          additions: byType.new[type],
          removals: byType.removed[type],
        },
      ]),
    ),
    firstAdditions: sample.new,
    firstRemovals: sample.removed,
    ...figuresOf(planned),
  }
}

/** The same for people. */
const planDrawn = async (plan: ListPlan, screenColumns: number): Promise<string> => {
  const [{ drawn }, { SuppressionChangesView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  return drawn(SuppressionChangesView, { ...plan, screenColumns }, screenColumns)
}

/** Errors: InvalidArgumentError. */
const ruleTypesOf = (text: string): ReadonlyArray<SuppressionRuleType> =>
  [...new Set(text.split(",").map((word) => word.trim()))].map((word) => {
    if (isRuleType(word)) return word
    throw new InvalidArgumentError(`Use one or more of: ${ruleTypes.join(", ")}.`)
  })

/** Warns about what `apply` would reject. */
const warnOfRefusal = async (terminal: Terminal, { plan }: ServerPlan): Promise<void> => {
  const needs = `apply needs --allow-removals ${plan.removed}.`
  const warnings = {
    empty: "The file is empty: apply needs --allow-empty.",
    no_rules: "apply will reject this file: it is not empty but has no valid rule.",
    other_types: `The file has other types than the list: ${needs}`,
    most: `More than half of the list would be removed: ${needs}`,
  }
  if (plan.guard !== null) warnOn(terminal)(warnings[plan.guard.reason])
}

/** Shows the plan on a terminal, warns and asks. Errors: usage; those of `requireConsent`. */
const agree = async (
  terminal: Terminal,
  listPlan: ListPlan,
  options: ApplyOptions,
): Promise<void> => {
  const [{ counted }, { freeMailWarning }, { requireRemovalConsent }] = await Promise.all([
    import("../ui/text.ts"),
    import("@footfall/normal-form/reading"),
    import("./guards.ts"),
  ])
  const { plan } = listPlan
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await planDrawn(listPlan, screenColumns(terminal)))
  }
  const warn = warnOn(terminal)
  const warning = freeMailWarning(plan.freeMailDomains)
  if (warning !== null) warn(warning)
  if (plan.rejected > 0) {
    warn(`${counted(plan.rejected, "rejected row")} are treated as not in the file.`)
  }
  const isCleared = plan.rows === 0
  const which = plan.types === null ? "" : ` of the types ${plan.types.join(", ")}`
  await requireRemovalConsent(terminal, listPlan, {
    what: isCleared
      ? `The file is empty. Every rule${which} will be removed: ${counted(plan.removed, "rule")}.`
      : `${counted(plan.new, "rule")} will be added and ${counted(plan.removed, "rule")} removed.`,
    isCleared,
    options,
  })
  if (isCleared && options.yes) warn(`The file is empty: every rule${which} will be removed.`)
}
