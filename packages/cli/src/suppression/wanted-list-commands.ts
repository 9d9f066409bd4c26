// `footfall suppression plan` and `apply`: make the list match a file.

import type { SuppressionRuleType } from "@footfall/sdk"
import { type Command, InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { ExitCode, usageError } from "../errors/cli-error.ts"
import { screenColumns, type Terminal, warnOn } from "../terminal/terminal.ts"
import {
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
import type { ListPlan } from "./run-plan.ts"

interface WantedListOptions {
  readonly type?: SuppressionRuleType
  readonly types?: ReadonlyArray<SuppressionRuleType>
  readonly column?: string
  readonly rejected?: string
}

type ApplyOptions = WantedListOptions & RemovalOptions & { readonly yes?: true }

export const wantedListCommands = [
  define<WantedListOptions, [file: string]>("plan", {
    description:
      "Show which rules to add and remove so that the list matches a file, without changing\n" +
      "anything. Rules of types that are not in the file are removed too, unless --types leaves\n" +
      "them out. Exits with 0 whether or not there are changes.",
    summary: "show what would make the list match a file",
    takes: (command) => addWantedListOptions(command),
    examples: [
      "footfall suppression plan rules.csv",
      "footfall suppression plan domains.txt --types domain",
      "footfall suppression plan rules.csv --json | jq -e '.data.method == \"none\"'",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      const request = wantedListRequest(file, options)
      const client = await connect()
      const { runPlan } = await import("./run-plan.ts")

      const plan = await runPlan(terminal, client, request)

      await print(planJson(plan, false), (columns) => planDrawn(plan, false, columns))
      await warnOfRefusal(terminal, plan)
      if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    },
  }),

  define<ApplyOptions, [file: string]>("apply", {
    description:
      "Make the list match a file: shows what to add and remove, and asks for confirmation. Up to\n" +
      "25,000 rules are replaced in one step; more are added and then removed, which is not atomic\n" +
      "and can be run again. --types leaves rules of other types unchanged. To remove more than\n" +
      "half of a list of more than 100 rules, add --allow-removals or type the number. A file\n" +
      "that is not empty but has no valid rule is rejected.",
    summary: "make the list match a file",
    takes: (command) =>
      addWantedListOptions(command)
        .option("-y, --yes", "do not ask for confirmation")
        .addOption(allowRemovalsOption()),
    examples: [
      "footfall suppression apply rules.csv",
      "footfall suppression apply domains.txt --types domain --yes",
      "footfall suppression apply rules.csv --yes --allow-removals 500",
    ],
    run: async ({ connect, options, print, terminal }, file) => {
      const request = wantedListRequest(file, options)
      requireTerminalOrYes(terminal, options)
      const client = await connect()
      const { runPlan } = await import("./run-plan.ts")

      const plan = await runPlan(terminal, client, {
        ...request,
        onPlan: (plan) => agree(terminal, plan, options),
      })

      await print(planJson(plan, true), (columns) => planDrawn(plan, true, columns))
      if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    },
  }),
]

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
    firstAdditions,
    firstRemovals,
    ...prepared,
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
  const [{ needsCount }, { sumOf }] = await Promise.all([
    import("./removals.ts"),
    import("./changes.ts"),
  ])
  const [removals, present] = [sumOf(changes.removals), sumOf(changes.present)]
  const warn = warnOn(terminal)
  if (prepared.rules === 0 && !prepared.isEmpty) {
    warn("apply will reject this file: it is not empty but has no valid rule.")
  } else if (needsCount({ removals, present, allowed: undefined })) {
    warn(`More than half of the list would be removed: apply needs --allow-removals ${removals}.`)
  }
}

/** Shows the plan on a terminal, warns and asks. Errors: usage; those of `requireConsent`. */
const agree = async (terminal: Terminal, plan: ListPlan, options: ApplyOptions): Promise<void> => {
  const [{ counted }, { sumOf }, { freeMailWarning }] = await Promise.all([
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
    isCleared: prepared.isEmpty,
    options,
  })
  if (prepared.isEmpty && options.yes) {
    warn(`The file is empty: every rule${which} will be removed.`)
  }
}
