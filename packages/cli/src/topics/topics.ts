// `footfall topics`: topics and the number of people who read about them.

import type { ListMeta, StoredSiteAnalysis, Topic, TopicListMeta } from "@footfall/sdk"
import { InvalidArgumentError, Option } from "commander"
import { define } from "../command/define.ts"
import {
  addBoundedListOptions,
  addListOptions,
  boundedLimit,
  type ListOptions,
  rowsMax,
} from "../command/list-options.ts"
import type { GlobalOptions } from "../connection/global-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { listForm } from "../output/print-list.ts"
import { view } from "../output/print-result.ts"
import type { Empty } from "../ui/list-screen.tsx"
import type { Column } from "../ui/table.tsx"
import { timeAgo } from "../ui/text.ts"
import {
  addTopicFilterOptions,
  TOPIC_WORDS,
  topicColumns,
  type TopicFilterOptions,
} from "./topic-reference.ts"

/** Source: spec 5.7. */
const TOPICS_MAX = 10

/** One row per day and topic. Source: spec 2.18. */
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

interface TopicsListOptions extends ListOptions, TopicFilterOptions {
  readonly category?: string
  readonly search?: string
}

/** Default topics per page. */
const PAGE_SIZE = 50

/** The server's maximum per page (spec 1.6). */
const PAGE_SIZE_MAX = 500

interface MoversOptions extends ListOptions, TopicFilterOptions {
  readonly direction: "up" | "down"
}

/** Source: spec 5.7. */
const moversBound = { default: 20, max: 50 }

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

type SearchOptions = GlobalOptions & ListOptions & TopicFilterOptions

/** Source: spec 5.7. */
const searchBound = { default: 10, max: 50 }

interface TrendOptions {
  readonly from?: string
  readonly to?: string
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

export const topicCommands = [
  define<TopicsListOptions>("list", {
    description: "list all topics, sorted by id",
    takes: (command) =>
      addListOptions(
        addTopicFilterOptions(command)
          .option("--category <name>", "only topics of this category, in any case")
          .option("--search <text>", "only topics whose name contains this text, in any case"),
        "topics",
      ),
    fields: "topicId,topicName",
    examples: [
      "footfall topics list --type b2b --industry logistics",
      "footfall topics list --all --output csv > topics.csv",
    ],
    credential: "optional",
    run: async ({ connect, options, printList }) => {
      const { type, industry, category, search } = options
      const rows = rowsMax(options)
      const client = await connect()
      const pageSize = rows === null ? PAGE_SIZE : Math.min(rows, PAGE_SIZE_MAX)
      await printList(
        client.topics.list({ type, industry, category, q: search, pageSize }),
        topicCatalog,
      )
    },
  }),

  define<SearchOptions, [words: ReadonlyArray<string>]>("search", {
    description: "search topics by words, best match first; tolerates typos",
    takes: (command) =>
      addBoundedListOptions(
        addTopicFilterOptions(command.argument("<words...>", "what to look for")),
        "topics",
        searchBound,
      ),
    fields: "topicId,topicName",
    examples: [
      "footfall topics search warehouse managment",
      "footfall topics search crm --limit 1 --json | jq '.data[0].topicId'",
    ],
    credential: "optional",
    run: async ({ connect, options, printRows, terminal }, words) => {
      const { type, industry } = options
      const limit = boundedLimit(options, searchBound)
      const q = words.join(" ")
      const client = await connect()

      const found = await client.topics.search({ q, type, industry, limit })

      await printRows({
        data: found,
        rows: found,
        csvColumns: topicColumns,
        drawn: (columns) => {
          const meta = { total: found.length, hasMore: false }
          return foundTopicList.drawn({ data: found, meta }, columns, terminal.now)
        },
      })
    },
  }),

  define<TrendOptions, [topic: string]>("trend", {
    description: "show how many people read about a topic, day by day",
    takes: (command) =>
      command
        .argument("<topic>", TOPIC_WORDS)
        .addOption(
          new Option(
            "--from <date>",
            "first day (default: 30 days before the latest data)",
          ).argParser(date),
        )
        .addOption(
          new Option("--to <date>", "last day (default: the latest data)").argParser(date),
        ),
    fields: "date,uniqueAudience",
    examples: [
      "footfall topics trend 1204",
      "footfall topics trend 'Warehouse Management Software' --from 2026-01-01 --to 2026-03-10",
      "footfall topics trend 1204 --output csv > trend.csv",
    ],
    credential: "optional",
    run: async ({ connect, options, printRows }, topic) => {
      const { from, to } = options
      const client = await connect()
      const { topicIdOf } = await import("./topic-reference.ts")
      const topicId = await topicIdOf(client, topic)

      const points = await client.topics.trend(topicId, { from, to })

      await printRows({
        data: points,
        rows: points,
        csvColumns: trendColumns,
        drawn: view(async () => (await import("./views.tsx")).TopicTrendView, { topicId, points }),
      })
    },
  }),

  define<object, [references: ReadonlyArray<string>]>("compare", {
    description: "compare the last 30 days of up to ten topics",
    takes: (command) => command.argument("<topics...>", `${TOPIC_WORDS}; several`),
    fields: "topicName,date,uniqueAudience",
    examples: [
      "footfall topics compare 1204 3377",
      "footfall topics compare 'Freight Visibility' 'Warehouse Management Software'",
    ],
    credential: "optional",
    run: async ({ connect, printRows }, references) => {
      const client = await connect()
      if (references.length > TOPICS_MAX) throw usageError(`At most ${TOPICS_MAX} topics.`)
      const { topicIdsOf } = await import("./topic-reference.ts")
      const topicIds = [...new Set(await topicIdsOf(client, references))]

      const comparisons = await client.topics.compare(topicIds)

      const known = new Set(comparisons.map(({ topicId }) => topicId))
      const unknownTopicIds = topicIds.filter((topicId) => !known.has(topicId))
      await printRows({
        data: comparisons,
        rows: comparisons.flatMap(({ topicId, topicName, data }) =>
          data.map((day) => ({ topicId, topicName, ...day })),
        ),
        csvColumns: comparisonColumns,
        drawn: view(async () => (await import("./views.tsx")).TopicComparisonView, {
          comparisons,
          unknownTopicIds,
        }),
      })
    },
  }),

  define<MoversOptions>("movers", {
    description: "list the topics whose audience changed most between the last two days",
    takes: (command) =>
      addBoundedListOptions(
        addTopicFilterOptions(
          command.addOption(
            new Option("--direction <direction>", "direction of the change")
              .choices(["up", "down"])
              .default("up"),
          ),
        ),
        "topics",
        moversBound,
      ),
    fields: "topicName,pctChange",
    examples: ["footfall topics movers", "footfall topics movers --direction down --type b2b"],
    credential: "optional",
    run: async ({ connect, options, printRows }) => {
      const { direction, type, industry } = options
      const limit = boundedLimit(options, moversBound)
      const client = await connect()

      const movers = await client.topics.movers({ direction, type, industry, limit })

      await printRows({
        data: movers,
        rows: movers,
        csvColumns: moverColumns,
        drawn: view(async () => (await import("./views.tsx")).TopicMoversView, {
          movers,
          direction,
        }),
      })
    },
  }),

  define<object, [address: string]>("analyze", {
    description: "analyze a web page and list its topics",
    takes: (command) => command.argument("<url>", "URL of the page (https by default)"),
    fields: "company,topics",
    examples: [
      "footfall topics analyze harbor-logistics.example",
      "footfall topics analyze https://harbor-logistics.example/freight --json | jq '.data.topics[].topicId'",
    ],
    credential: "optional",
    run: async ({ connect, print, terminal }, address) => {
      const url = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
      const client = await connect()
      const [{ withRetries }, { reportWaits }] = await Promise.all([
        import("../retry/retry.ts"),
        import("../terminal/work.ts"),
      ])

      // The limit is two per minute (spec 10.2), so this shows any wait.
      const analysis = await withRetries(
        () => client.topics.analyze({ url }, { maxRetries: 0 }),
        reportWaits(terminal),
      )

      await print(
        analysis,
        view(async () => (await import("./views.tsx")).SiteAnalysisView, { url, analysis }),
      )
    },
  }),

  define("analyses", {
    description: "list your saved analyses, newest first",
    takes: (command) => addListOptions(command, "analyses"),
    fields: "url,company",
    examples: [
      "footfall topics analyses",
      "footfall topics analyses --limit 1 --json | jq '.data[0].topics'",
    ],
    credential: "either",
    run: async ({ connect, printList }) => {
      const client = await connect()
      await printList(client.siteTopics.list(), analysisList)
    },
  }),

  define("facets", {
    description: "count topics by type, industry and category",
    fields: "facet,value,count",
    examples: ["footfall topics facets", "footfall topics facets --output csv > facets.csv"],
    credential: "optional",
    run: async ({ connect, printRows }) => {
      const client = await connect()

      const facets = await client.topics.facets()

      await printRows({
        data: facets,
        rows: [
          ...facets.types.map((each) => ({ facet: "type", ...each })),
          ...facets.industries.map((each) => ({ facet: "industry", ...each })),
          ...facets.categories.map((each) => ({ facet: "category", ...each })),
        ],
        csvColumns: ["facet", "value", "count"],
        drawn: view(async () => (await import("./views.tsx")).TopicFacetsView, { facets }),
      })
    },
  }),
]

export const analysisList = listForm<StoredSiteAnalysis, ListMeta>({
  csvColumns: ["id", "url", "company", "summary", "keywords", "topics", "createdAt"],
  nouns: ["analysis", "analyses"],
  empty: { message: "There are no analyses yet.", next: "Run: footfall topics analyze <url>" },
  columns: ({ now }) => [
    { title: "Page", cell: ({ url }) => url, widthMin: 16, widthKept: 26 },
    {
      title: "Company",
      cell: ({ company }) => company ?? "",
      widthMin: 8,
      widthKept: 14,
      dropRank: 1,
    },
    { title: "Topics", cell: topicsText, widthMin: 16, widthKept: 24 },
    { title: "Read", cell: ({ createdAt }) => timeAgo(createdAt, now), align: "right" },
  ],
})

/** A date in the API's format. Errors: InvalidArgumentError, also for a date that does not exist. */
const date = (text: string): string => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00.000Z`) : null
  // A date that does not exist parses as invalid or as another date.
  if (at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)) return text
  throw new InvalidArgumentError("Expected a date as YYYY-MM-DD.")
}

/** Topics shown; the other formats have all of them. */
const TOPICS_SHOWN = 3

const topicsText = ({ topics }: StoredSiteAnalysis): string =>
  topics.length === 0
    ? "none"
    : topics
        .slice(0, TOPICS_SHOWN)
        .map(({ topicName }) => topicName)
        .join(", ")

/** The id is never cut, because other commands take it. The name is cut last. */
const topicTable = (empty: Empty) => ({
  csvColumns: topicColumns,
  nouns: ["topic", "topics"] as const,
  empty,
  columns: ({
    screenColumns,
  }: {
    readonly screenColumns: number
  }): ReadonlyArray<Column<Topic>> => [
    { title: "Id", cell: ({ topicId }) => `${topicId}`, align: "right" },
    {
      title: "Topic",
      cell: ({ topicName }) => topicName,
      widthMin: 16,
      widthKept: Math.max(16, Math.floor(screenColumns * 0.5)),
    },
    { title: "Type", cell: ({ type }) => type, color: "cyan", dropRank: 2 },
    {
      title: "Industry",
      cell: ({ industry }) => industry,
      widthMin: 10,
      widthKept: 14,
      dropRank: 1,
    },
    {
      title: "Category",
      cell: ({ category }) => category,
      widthMin: 10,
      widthKept: 14,
      dropRank: 3,
    },
  ],
})

export const topicCatalog = listForm<Topic, TopicListMeta>(
  topicTable({
    message: "No topic matches the filter.",
    next: "Available values: footfall topics facets",
  }),
)

export const foundTopicList = listForm<Topic>(
  topicTable({
    message: "No topics found.",
    next: "Try other words, or run: footfall topics list",
  }),
)
