// `footfall topics compare`: the last 30 days of up to ten topics beside each other.

import type { Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { usageError } from "../../errors/usage-error.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"
import { TOPIC_WORDS } from "./topic-options.ts"

/** Source: spec 5.7. */
const TOPICS_MAX = 10

/** Adds the command to its group. */
export const addTopicsCompare = (topics: Command, terminal: Terminal): void => {
  topics
    .command("compare")
    .description("show the last 30 days of up to ten topics beside each other")
    .argument("<topics...>", `${TOPIC_WORDS}; several`)
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall topics compare 1204 3377",
        "footfall topics compare 'Freight Visibility' 'Warehouse Management Software'",
      ),
    )
    .action(async (references: ReadonlyArray<string>, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly output?: OutputFormat }>()
      const client = await connect(terminal, command, "optional")
      if (references.length > TOPICS_MAX) throw usageError(`At most ${TOPICS_MAX} topics.`)
      const { topicIdsOf } = await import("../../topics/topic-reference.ts")
      const topicIds = [...new Set(await topicIdsOf(client, references))]

      const comparisons = await client.topics.compare(topicIds)

      const known = new Set(comparisons.map(({ topicId }) => topicId))
      const unknownTopicIds = topicIds.filter((topicId) => !known.has(topicId))
      await printRows(terminal, options, {
        data: comparisons,
        rows: comparisons.flatMap(({ topicId, topicName, data }) =>
          data.map((day) => ({ topicId, topicName, ...day })),
        ),
        csvColumns: comparisonColumns,
        drawn: async (columns) => {
          const [{ drawn }, { TopicComparisonView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/TopicComparisonView.tsx"),
          ])
          const props = { comparisons, unknownTopicIds, screenColumns: columns }
          return drawn(TopicComparisonView, props, columns)
        },
      })
    })
}

/** A row a day and topic. Source: spec 2.18. */
const comparisonColumns = [
  "topicId",
  "topicName",
  "date",
  "uniqueAudience",
  "totalSignals",
  "avgScore",
  "highAudience",
  "mediumAudience",
  "lowAudience",
] as const
