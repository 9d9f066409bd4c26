// `footfall topics trend`: how many people read about a topic, day by day.

import { InvalidArgumentError, Option, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { TOPIC_WORDS } from "./topic-options.ts"

/** As commander hands them over. */
interface TrendOptions extends GlobalOptions {
  readonly from?: string
  readonly to?: string
  readonly output?: OutputFormat
}

/** Adds the command to its group. */
export const addTopicsTrend = (topics: Command, terminal: Terminal): void => {
  topics
    .command("trend")
    .description("show how many people read about a topic, day by day")
    .argument("<topic>", TOPIC_WORDS)
    .addOption(
      new Option("--from <date>", "first day (default: 30 days before the newest data)").argParser(
        date,
      ),
    )
    .addOption(new Option("--to <date>", "last day (default: the newest data)").argParser(date))
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall topics trend 1204",
        "footfall topics trend 'Warehouse Management Software' --from 2026-01-01 --to 2026-03-10",
        "footfall topics trend 1204 --output csv > trend.csv",
      ),
    )
    .action(async (topic: string, _options, command: Command) => {
      const options = command.optsWithGlobals<TrendOptions>()
      const { from, to } = options
      const client = await connect(terminal, command, "optional")
      const { topicIdOf } = await import("../../topics/topic-reference.ts")
      const topicId = await topicIdOf(client, topic)

      const points = await client.topics.trend(topicId, { from, to })

      await printRows(terminal, options, {
        data: points,
        rows: points,
        csvColumns: trendColumns,
        drawn: async (columns) => {
          const [{ drawn }, { TopicTrendView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/TopicTrendView.tsx"),
          ])
          return drawn(TopicTrendView, { topicId, points, screenColumns: columns }, columns)
        },
      })
    })
}

/** A day as the API takes it. Errors: InvalidArgumentError, also for a day that does not exist. */
const date = (text: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null
  // A day that does not exist is none, or another one.
  if (at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError("Expected a date as YYYY-MM-DD.")
}

/** Source: spec 2.18. */
const trendColumns = [
  "date",
  "topicName",
  "type",
  "industry",
  "category",
  "uniqueAudience",
  "totalSignals",
  "avgScore",
  "highAudience",
  "mediumAudience",
  "lowAudience",
] as const
