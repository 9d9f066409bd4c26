// `footfall audiences list`: the saved audiences.

import type { Audience, AudienceStatus, ListMeta } from "@footfall/sdk"
import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { limitedPages } from "../../output/limited-pages.ts"
import { outputOf } from "../../output/output-format.ts"
import { printList, type ListForm } from "../../output/print-list.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addListOptions, rowsMax, type ListOptions } from "../list-options.ts"

/** As commander hands them over. */
interface AudiencesListOptions extends GlobalOptions, ListOptions {
  readonly status?: AudienceStatus
}

const statuses = ["draft", "active", "paused"] satisfies ReadonlyArray<AudienceStatus>

/** Adds the command to its group. */
export const addAudiencesList = (audiences: Command, terminal: Terminal): void => {
  addListOptions(
    audiences
      .command("list")
      .description("list the saved audiences, newest first")
      .addOption(new Option("--status <status>", "only those of this status").choices(statuses)),
    "audiences",
  )
    .addHelpText(
      "after",
      examples("footfall audiences list", "footfall audiences list --status active --all --json"),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<AudiencesListOptions>()
      const output = outputOf(options, terminal)
      const client = await connect(terminal, command, "either")
      const list = client.audiences.list({ status: options.status })
      const pages = limitedPages(list.pages(), rowsMax(options))
      await printList(terminal, output, pages, audienceListForm(terminal))
    })
}

const audienceListForm = (terminal: Terminal): ListForm<Audience, ListMeta> => ({
  csvColumns: [
    "id",
    "name",
    "status",
    "accessType",
    "dailyRefreshEnabled",
    "audienceSize",
    "lastRefreshedAt",
    "pausedAt",
    "createdBy",
    "createdAt",
    "updatedAt",
    "config.topicIds",
    "config.minScore",
    "config.maxScore",
    "config.minTopicOverlap",
    "config.filters",
    "config.sourceUrl",
  ],
  drawn: async ({ data, meta }, columns) => {
    const [{ drawn }, { AudienceTable }] = await Promise.all([
      import("../../screens/drawn.ts"),
      import("../../screens/AudienceTable.tsx"),
    ])
    const props = { audiences: data, meta, now: terminal.now, screenColumns: columns }
    return drawn(AudienceTable, props, columns)
  },
})
