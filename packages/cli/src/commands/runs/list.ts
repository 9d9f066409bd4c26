// `footfall runs list`: the runs of an audience.

import type { ListMeta, Run, RunStatus } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { audienceId } from "../audiences/audience-id.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"

/** As commander hands them over. */
interface RunsListOptions extends GlobalOptions, ListOptions {
  readonly status?: RunStatus
}

const statuses = [
  "queued",
  "running",
  "completed",
  "failed",
  "cancelled",
] satisfies ReadonlyArray<RunStatus>

/** Adds the command to its group. */
export const addRunsList = (runs: Command, terminal: Terminal): void => {
  addListOptions(
    runs
      .command("list")
      .description("list the runs of an audience, newest first")
      .argument("<audience-id>", "id or name of the audience", audienceId)
      .addOption(new Option("--status <status>", "only those of this status").choices(statuses)),
    "runs",
  )
    .addHelpText(
      "after",
      examples(
        "footfall runs list 70865832-8a6e-409c-95c5-d15bafae1a05",
        "footfall runs list 70865832-8a6e-409c-95c5-d15bafae1a05 --status failed --json",
      ),
    )
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<RunsListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const list = client.runs.list(id, { status: options.status })
      const pages = limitedPages(list.pages(), rowsMax(options))
      await printList(terminal, output, pages, runListForm(terminal))
    })
}

const runListForm = (terminal: Terminal): ListForm<Run, ListMeta> => ({
  csvColumns: [
    "id",
    "status",
    "runType",
    "dataDate",
    "candidateCount",
    "resultCount",
    "attempts",
    "errorCode",
    "errorMessage",
    "idempotencyKey",
    "configHash",
    "startedAt",
    "completedAt",
    "cancelledAt",
    "createdAt",
    "updatedAt",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { RunTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/RunTable.tsx"),
    ])
    return drawn(RunTable, { runs: data, meta, now: terminal.now, screenColumns: columns }, columns)
  },
})
