// `footfall suppression plan`: what `apply` would change. Ends with 0 whether or not there is something to
// change, which the document tells (`method` is `none`); with 3 when rows were rejected.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import { ExitCode } from "../../errors/exit-code.ts"
import { printResult } from "../../output/print-result.ts"
import type { ListPlan } from "../../suppression/run-plan.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { warnOn } from "../../terminal/warn.ts"
import { examples } from "../examples.ts"
import {
  addWantedListOptions,
  planDrawn,
  planTold,
  wantedListRequest,
  type WantedListOptions,
} from "./wanted-list.ts"

/** Adds the command to its group. */
export const addSuppressionPlan = (suppression: Command, terminal: Terminal): void => {
  const command = suppression
    .command("plan")
    .summary("show what would make the rules equal a file")
    .description(
      "Show what has to be added and removed for the rules to be those of a file, and change\n" +
        "nothing. Rules of types that the file does not have are removed too, unless --types leaves\n" +
        "them out. Ends with 0 whether or not there is something to change.",
    )
  addWantedListOptions(command)
    .addHelpText(
      "after",
      examples(
        "footfall suppression plan rules.csv",
        "footfall suppression plan domains.txt --types domain",
        "footfall suppression plan rules.csv --json | jq -e '.data.method == \"none\"'",
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<WantedListOptions>()
      const request = wantedListRequest(file, options)
      const client = await connect(terminal, command)
      const { runPlan } = await import("../../suppression/run-plan.ts")

      const plan = await runPlan(terminal, client, request)

      await printResult(terminal, options, planTold(plan, false), (columns) =>
        planDrawn(plan, false, columns),
      )
      await warnOfRefusal(terminal, plan)
      if (plan.prepared.rejectedCount > 0) terminal.endWith(ExitCode.partial)
    })
}

/** Says what `apply` would refuse. */
const warnOfRefusal = async (
  terminal: Terminal,
  { prepared, changes }: ListPlan,
): Promise<void> => {
  const [{ needsCount }, { sumOf }] = await Promise.all([
    import("../../suppression/removals.ts"),
    import("../../suppression/changes.ts"),
  ])
  const [removals, present] = [sumOf(changes.removals), sumOf(changes.present)]
  const warn = warnOn(terminal)
  if (prepared.rules === 0 && !prepared.isEmpty) {
    warn("apply refuses this file: it holds something but gives no rule.")
  } else if (needsCount({ removals, present, allowed: undefined })) {
    warn(`More than half of the list goes: apply needs --allow-removals ${removals}.`)
  }
}
