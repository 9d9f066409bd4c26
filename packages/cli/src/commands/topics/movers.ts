// `footfall topics movers`: the topics whose audience changed most from one day to the next.

import { Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { addBoundedListOptions, boundedLimit, type ListOptions } from "../list-options.ts"
import { addTopicFilterOptions, type TopicFilterOptions } from "./topic-options.ts"

/** As commander hands them over. */
interface MoversOptions extends GlobalOptions, ListOptions, TopicFilterOptions {
  readonly direction: "up" | "down"
}

/** Source: spec 5.7. */
const bound = { default: 20, max: 50 }

/** Adds the command to its group. */
export const addTopicsMovers = (topics: Command, terminal: Terminal): void => {
  const command = topics
    .command("movers")
    .description("list the topics whose audience changed most between the two newest days")
    .addOption(
      new Option("--direction <direction>", "which way it changed")
        .choices(["up", "down"])
        .default("up"),
    )
  addBoundedListOptions(addTopicFilterOptions(command), "topics", bound)
    .addHelpText(
      "after",
      examples("footfall topics movers", "footfall topics movers --direction down --type b2b"),
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<MoversOptions>()
      const { direction, type, industry } = options
      const limit = boundedLimit(options, bound)
      const client = await connect(terminal, command, "optional")

      const movers = await client.topics.movers({ direction, type, industry, limit })

      await printRows(terminal, options, {
        data: movers,
        rows: movers,
        csvColumns: moverColumns,
        drawn: async (columns) => {
          const [{ drawn }, { TopicMoversView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/TopicMoversView.tsx"),
          ])
          return drawn(TopicMoversView, { movers, direction, screenColumns: columns }, columns)
        },
      })
    })
}

/** Source: spec 2.18. */
const moverColumns = [
  "topicId",
  "topicName",
  "type",
  "industry",
  "todayAudience",
  "yesterdayAudience",
  "pctChange",
] as const
