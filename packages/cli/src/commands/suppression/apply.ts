// `footfall suppression apply`: makes the rules equal a file. Shows the plan and asks; ends with 3 when
// rows of the file were rejected, and with 0 when there is nothing to change.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { printResult } from "../../output/print-result.ts"
import type { ListPlan } from "../../suppression/run-plan.ts"
import { screenColumns, type Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import {
  allowRemovalsOption,
  requireRemovalConsent,
  type RemovalOptions,
} from "./removal-consent.ts"
import { refuseUnheardQuestion } from "./rule-files.ts"
import {
  addWantedListOptions,
  planDrawn,
  planTold,
  wantedListRequest,
  type WantedListOptions,
} from "./wanted-list.ts"

/** As commander hands them over. */
type ApplyOptions = WantedListOptions & RemovalOptions & { readonly yes?: true }

/** Adds the command to its group. */
export const addSuppressionApply = (suppression: Command, terminal: Terminal): void => {
  const command = suppression
    .command("apply")
    .summary("make the rules equal a file")
    .description(
      "Make the rules those of a file: shows what has to be added and removed, and asks. Up to\n" +
        "25,000 rules are replaced at once; more are added and then removed, which is not atomic\n" +
        "and can be run again. --types leaves the rules of other types as they are. More than half\n" +
        "of a list of over 100 rules goes only with --allow-removals, or when you type the number. A\n" +
        "file that holds something but gives no rule is refused.",
    )
  addWantedListOptions(command)
    .option("--yes", "do it without asking")
    .addOption(allowRemovalsOption())
    .addHelpText(
      "after",
      examples(
        "footfall suppression apply rules.csv",
        "footfall suppression apply domains.txt --types domain --yes",
        "footfall suppression apply rules.csv --yes --allow-removals 500",
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ApplyOptions>()
      const request = wantedListRequest(file, options)
      refuseUnheardQuestion(terminal, options)
      const client = await connect(terminal, command)
      const { runPlan } = await import("../../suppression/run-plan.ts")

      const plan = await runPlan(terminal, client, {
        ...request,
        onPlan: (plan) => agree(terminal, plan, options),
      })

      await printResult(terminal, options, planTold(plan, true), (columns) =>
        planDrawn(plan, true, columns),
      )
      if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    })
}

/** Shows the plan where somebody looks, warns, and asks. Errors: usage; those of `requireConsent`. */
const agree = async (terminal: Terminal, plan: ListPlan, options: ApplyOptions): Promise<void> => {
  const [{ counted }, { sumOf }, { freeMailWarning }] = await Promise.all([
    import("../../screens/figures.ts"),
    import("../../suppression/changes.ts"),
    import("../../suppression/free-mail.ts"),
  ])
  const { prepared, changes, types } = plan
  if (terminal.stderr.isTTY) {
    terminal.stderr.write(await planDrawn(plan, false, screenColumns(terminal)))
  }
  const warn = warnOn(terminal)
  const warning = freeMailWarning(prepared.freeMailDomains, prepared.freeMailCount)
  if (warning !== null) warn(warning)
  if (prepared.rejectedCount > 0) {
    warn(`${counted(prepared.rejectedCount, "rejected row")} count as not wanted.`)
  }
  const [additions, removals] = [sumOf(changes.additions), sumOf(changes.removals)]
  const which = types === null ? "" : ` of the types ${types.join(", ")}`
  await requireRemovalConsent(terminal, {
    what: prepared.isEmpty
      ? `The wanted list is empty: all ${counted(removals, "rule")}${which} will be removed.`
      : `${counted(additions, "rule")} will be added and ${counted(removals, "rule")} removed.`,
    removals,
    present: sumOf(changes.present),
    isCleared: prepared.isEmpty,
    options,
  })
  if (prepared.isEmpty && options.yes) {
    warn(`The wanted list is empty: every rule${which} is removed.`)
  }
}
