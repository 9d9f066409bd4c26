// `footfall suppression plan` and `apply`: make the list match a file.

import type { SuppressionRuleType } from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import { note, screenColumns, type Terminal, warnOn } from "../terminal/terminal.ts"
import { printChange, SHOWN_MAX, shortPrepared } from "./change-output.ts"
import {
  allowEmptyOption,
  allowRemovalsOption,
  isRuleType,
  rejectedFiles,
  type RemovalOptions,
  requireRemovalConsent,
  requireTerminalOrYes,
  ruleTypeOption,
} from "./options.ts"
import type { PrepareRequest } from "./prepare.ts"
import { ruleTypes } from "./rule-types.ts"
import type { ListPlan } from "./list-plan.ts"

interface WantedListOptions {
  readonly type?: SuppressionRuleType
  readonly types?: ReadonlyArray<SuppressionRuleType>
  readonly column?: string
  readonly rejected?: string
}

type PlanOptions = WantedListOptions & { readonly exitCode?: true; readonly out?: string }

type ApplyOptions = WantedListOptions &
  RemovalOptions & { readonly yes?: true; readonly allowEmpty?: true }

export const wantedListCommands = [
  define<PlanOptions, [file: string]>("plan", {
    description:
      "Show which rules to add and remove so that the list matches a file, without changing\n" +
      "anything. Rules of types that are not in the file are removed too, unless --types leaves\n" +
      "them out. Exits with 0 whether or not there are changes; with --exit-code, with 7 if there are.\n" +
      "--out writes a plan file that `apply` takes without reading the list again.",
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
      const request = wantedListRequest(file, options)
      const client = await connect()
      const { runPlan } = await import("./run-plan.ts")

      const { out } = options
      const plan = await runPlan(terminal, client, { ...request, out, isEmptyAllowed: true })

      await printChange(terminal, options, () =>
        print(planJson(plan, false), (columns) => planDrawn(plan, false, columns)),
      )
      await warnOfRefusal(terminal, plan)
      if (out !== undefined) note(terminal, `To apply it: footfall suppression apply ${out}`)
      if (options.exitCode === true && plan.method !== "none") terminal.endWith(ExitCode.changes)
      else if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    },
  }),

  define<ApplyOptions, [file: string]>("apply", {
    description:
      "Make the list match a file: shows what to add and remove, and asks for confirmation. Up to\n" +
      "25,000 rules are replaced in one step; more are added and then removed, which is not atomic\n" +
      "and can be run again. --types leaves rules of other types unchanged. To remove more than\n" +
      "half of a list of more than 100 rules, or if the file has other types than the list, add\n" +
      "--allow-removals or type the number. A file without rows is refused unless --allow-empty is\n" +
      "given, and a file with rows but without a valid rule always. The file can also be a plan from\n" +
      "`plan --out`; it is refused if the list has changed since.",
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
      const { isPlanFile } = await import("./plan-file.ts")
      const isPlan = isPlanFile(file)
      if (isPlan) refuseReadingOptions(file, options)
      const request = wantedListRequest(file, options)
      requireTerminalOrYes(terminal, options)
      const client = await connect()
      const { runPlan, runPlanFile } = await import("./run-plan.ts")

      const onPlan = (plan: ListPlan) => agree(terminal, plan, options)
      const isEmptyAllowed = options.allowEmpty === true
      const plan = isPlan
        ? await runPlanFile(terminal, client, { file, isEmptyAllowed, onPlan })
        : await runPlan(terminal, client, { ...request, isEmptyAllowed, onPlan })

      await printChange(terminal, options, () =>
        print(planJson(plan, true), (columns) => planDrawn(plan, true, columns)),
      )
      if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    },
  }),
]

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

/** How to read the file. Errors: usage. */
const wantedListRequest = (
  file: string,
  options: GlobalOptions & WantedListOptions,
): PrepareRequest => {
  if (file === "-" && options.apiKeyStdin) {
    throw usageError("Can't read both the API key and the rules from standard input.")
  }
  const { type, types, column, rejected } = options
  return { files: [file], type, types, column, rejectedFiles: rejectedFiles([file], rejected) }
}

/** The document for programs. */
const planJson = (plan: ListPlan, isApplied: boolean) => {
  const { changes, method, prepared, ...where } = plan
  const { present, additions, removals, firstAdditions, firstRemovals } = changes
  return {
    ...where,
    method,
    atomic: method !== "add_and_remove",
    applied: isApplied,
    byType: Object.fromEntries(
      ruleTypes.map((type) => [
        type,
        {
          present: present[type],
          wanted: prepared.rulesByType[type],
          additions: additions[type],
          removals: removals[type],
        },
      ]),
    ),
    firstAdditions: firstAdditions.slice(0, SHOWN_MAX),
    firstRemovals: firstRemovals.slice(0, SHOWN_MAX),
    ...shortPrepared(prepared),
  }
}

/** The same for people. */
const planDrawn = async (plan: ListPlan, isApplied: boolean, columns: number): Promise<string> => {
  const [{ drawn }, { SuppressionChangesView }] = await Promise.all([
    import("../ui/drawn.ts"),
    import("./views.tsx"),
  ])
  return drawn(SuppressionChangesView, { plan, isApplied, screenColumns: columns }, columns)
}

/** Errors: InvalidArgumentError. */
const ruleTypesOf = (text: string): ReadonlyArray<SuppressionRuleType> =>
  [...new Set(text.split(",").map((word) => word.trim()))].map((word) => {
    if (isRuleType(word)) return word
    throw new InvalidArgumentError(`Use one or more of: ${ruleTypes.join(", ")}.`)
  })

/** Warns about what `apply` would reject. */
const warnOfRefusal = async (
  terminal: Terminal,
  { prepared, changes }: ListPlan,
): Promise<void> => {
  const [{ needsCount }, { sumOf }, { isOfOtherTypes }] = await Promise.all([
    import("./removals.ts"),
    import("./changes.ts"),
    import("@footfall/normal-form/reading"),
  ])
  const [removals, present] = [sumOf(changes.removals), sumOf(changes.present)]
  const warn = warnOn(terminal)
  const isOther = isOfOtherTypes(prepared.rulesByType, changes.present)
  if (prepared.isEmpty) {
    warn("The file is empty: apply needs --allow-empty.")
  } else if (prepared.rules === 0) {
    warn("apply will reject this file: it is not empty but has no valid rule.")
  } else if (isOther && removals > 0) {
    warn(`The file has other types than the list: apply needs --allow-removals ${removals}.`)
  } else if (needsCount({ removals, present, allowed: undefined })) {
    warn(`More than half of the list would be removed: apply needs --allow-removals ${removals}.`)
  }
}

/** Shows the plan on a terminal, warns and asks. Errors: usage; those of `requireConsent`. */
const agree = async (terminal: Terminal, plan: ListPlan, options: ApplyOptions): Promise<void> => {
  const [{ counted }, { sumOf }, { freeMailWarning, isOfOtherTypes }] = await Promise.all([
    import("../ui/text.ts"),
    import("./changes.ts"),
    import("@footfall/normal-form/reading"),
  ])
  const { prepared, changes, types } = plan
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await planDrawn(plan, false, screenColumns(terminal)))
  }
  const warn = warnOn(terminal)
  const warning = freeMailWarning(prepared.freeMailDomains, prepared.freeMailCount)
  if (warning !== null) warn(warning)
  if (prepared.rejectedCount > 0) {
    warn(`${counted(prepared.rejectedCount, "rejected row")} are treated as not in the file.`)
  }
  const [additions, removals] = [sumOf(changes.additions), sumOf(changes.removals)]
  const which = types === null ? "" : ` of the types ${types.join(", ")}`
  await requireRemovalConsent(terminal, {
    what: prepared.isEmpty
      ? `The file is empty. Every rule${which} will be removed: ${counted(removals, "rule")}.`
      : `${counted(additions, "rule")} will be added and ${counted(removals, "rule")} removed.`,
    removals,
    present: sumOf(changes.present),
    isOfOtherTypes: removals > 0 && isOfOtherTypes(prepared.rulesByType, changes.present),
    isCleared: prepared.isEmpty,
    options,
  })
  if (prepared.isEmpty && options.yes) {
    warn(`The file is empty: every rule${which} will be removed.`)
  }
}
