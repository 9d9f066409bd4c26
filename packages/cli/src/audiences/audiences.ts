// `footfall audiences`: people by what they read about and by segment. Preview them, save them, and activate them.

import type {
  Audience,
  AudienceConfigParams,
  AudienceFilterCounts,
  AudienceFilterValues,
  AudienceStatus,
  Footfall,
  ListedAudienceFilter,
  ListMeta,
} from "@footfall/sdk"
import { Argument, Option } from "commander"
import { defineDelete } from "../command/define-delete.ts"
import { define } from "../command/define.ts"
import { audienceId } from "../command/ids.ts"
import { addListOptions, type ListOptions } from "../command/list-options.ts"
import { usageError } from "../errors/cli-error.ts"
import { extra, ifAvailable } from "../connection/extra.ts"
import { SLOW_TIMEOUT_MS } from "../connection/connect.ts"
import { listForm } from "../output/print-list.ts"
import { view } from "../output/print-result.ts"
import { lines } from "../terminal/terminal.ts"
import { countText, timeAgo } from "../ui/text.ts"
import {
  addConfigOptions,
  addSourceOption,
  type ConfigOptions,
  givenConfig,
  hasConfig,
} from "./config.ts"
import { type AudienceNames, audienceStatusText, runDays } from "./words.ts"

interface CreateOptions extends ConfigOptions {
  readonly active?: true
}

interface FiltersOptions {
  readonly counts?: true
}

/** spec 5.8 */
const filterNames = [
  "companyIndustry",
  "seniority",
  "companySize",
  "department",
  "state",
  "companyRevenueRange",
  "ageRange",
  "gender",
  "isB2b",
] satisfies ReadonlyArray<ListedAudienceFilter>

interface AudiencesListOptions extends ListOptions {
  readonly status?: AudienceStatus
}

const statuses = ["draft", "active", "paused"] satisfies ReadonlyArray<AudienceStatus>

interface UpdateOptions extends ConfigOptions {
  readonly name?: string
}

/** Suggestions for filter values that belong to another field; empty if the server does not say. */
const meaningsOf = async (
  client: Footfall,
  { filters }: AudienceConfigParams,
): Promise<ReadonlyArray<string>> => {
  if (!filters || Object.keys(filters).length === 0) return []
  const [{ otherMeanings }, values, facets] = await Promise.all([
    import("./other-meaning.ts"),
    ifAvailable(client.audiences.filters({}, extra)),
    ifAvailable(client.topics.facets(extra)),
  ])
  return values === null || facets === null ? [] : otherMeanings(filters, values, facets)
}

export const audienceCommands = [
  define<FiltersOptions, [only: ListedAudienceFilter | undefined]>("filters", {
    description: "list the filters and their values",
    takes: (command) =>
      command
        .addArgument(
          new Argument("[filter]", "show only this filter").choices(filterNames).argOptional(),
        )
        .option("--counts", "count the people with each value"),
    fields: "filter,value",
    examples: [
      "footfall audiences filters",
      "footfall audiences filters companyIndustry --counts",
      "footfall audiences filters --counts --output csv > filters.csv",
    ],
    credential: "either",
    run: async ({ connect, options, printRows }, only) => {
      const client = await connect()
      const names = only === undefined ? filterNames : [only]

      const filters = await client.audiences.filters({ includeCounts: options.counts })

      await printRows({
        data: Object.fromEntries(names.map((name) => [name, filters[name]])),
        rows: names.flatMap((name) => rowsOf(name, filters)),
        csvColumns: ["filter", "value", ...(options.counts ? ["label", "count"] : [])],
        drawn: view(async () => (await import("./views.tsx")).AudienceFiltersView, {
          filters,
          names,
        }),
      })
    },
  }),

  define<ConfigOptions>("validate", {
    description: "check a configuration and show its normal form, without counting people",
    takes: (command) => addConfigOptions(command),
    fields: "valid",
    examples: [
      "footfall audiences validate --config audience.json",
      "footfall audiences validate --topic 1204 --state california --json | jq .data.configHash",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }) => {
      const client = await connect()
      const config = await givenConfig(terminal, client, options)

      const validation = await client.audiences.validate(config)

      await print(validation, async (columns) => {
        const [{ drawn }, { AudienceValidationView }] = await Promise.all([
          import("../ui/drawn.ts"),
          import("./views.tsx"),
        ])
        const names = await namesOf(client, validation.normalizedConfig)
        return drawn(AudienceValidationView, { validation, names, screenColumns: columns }, columns)
      })
    },
  }),

  define<ConfigOptions & { readonly explain?: true }>("preview", {
    description: "count the people who match, and show a sample",
    takes: (command) =>
      addConfigOptions(command).option(
        "--explain",
        "also show how many people are left after each part, and how many have which score",
      ),
    fields: "totalCount,dataDate",
    examples: [
      "footfall audiences preview --topic 3377 --topic 1204 --overlap 2 --seniority vp,c_suite",
      "footfall audiences preview --topic 'Freight Visibility' --state CA --has-phone",
      "footfall audiences preview --segment 'Read pricing twice' --company-size 201-500",
      "footfall audiences preview --topic 3377 --seniority vp --has-phone --explain",
      "footfall audiences preview --config audience.json --json | jq .data.totalCount",
    ],
    run: async ({ connect, options, print, terminal }) => {
      const client = await connect()
      const config = await givenConfig(terminal, client, options)

      const { explain } = options
      const preview = await client.audiences.preview(
        { ...config, explain },
        { timeoutMs: SLOW_TIMEOUT_MS },
      )
      const meanings = preview.totalCount === 0 ? await meaningsOf(client, config) : []

      const data = meanings.length === 0 ? preview : { ...preview, meanings }
      await print(data, async (columns) => {
        const [{ drawn }, { AudiencePreviewView }] = await Promise.all([
          import("../ui/drawn.ts"),
          import("./views.tsx"),
        ])
        const names = await namesOf(client, config)
        return drawn(
          AudiencePreviewView,
          { preview, config, names, meanings, screenColumns: columns },
          columns,
        )
      })
    },
  }),

  define<AudiencesListOptions>("list", {
    description: "list the saved audiences, newest first",
    takes: (command) =>
      addListOptions(
        command.addOption(
          new Option("--status <status>", "only with this status").choices(statuses),
        ),
        "audiences",
      ),
    fields: "id,name,status",
    examples: ["footfall audiences list", "footfall audiences list --status active --all --json"],
    credential: "either",
    run: async ({ connect, options, printList }) => {
      const client = await connect()
      await printList(client.audiences.list({ status: options.status }), audienceList)
    },
  }),

  define<object, [id: string]>("get", {
    description: "show one saved audience",
    takes: (command) => command.argument("<id>", "id or name of the audience", audienceId),
    fields: "name,status,config.topicIds",
    examples: [
      "footfall audiences get 'Warehouse buyers'",
      "footfall audiences get 'Warehouse buyers' --json | jq .data.config > audience.json",
    ],
    credential: "either",
    run: async ({ connect, print, terminal }, id) => {
      const client = await connect()

      const audience = await client.audiences.get(id)

      await print(audience, async (columns) => {
        const [{ drawn }, { AudienceView }] = await Promise.all([
          import("../ui/drawn.ts"),
          import("./views.tsx"),
        ])
        const segment = await segmentNameOf(client, audience.config)
        const props = { audience, segment, now: terminal.now, screenColumns: columns }
        return drawn(AudienceView, props, columns)
      })
    },
  }),

  define<CreateOptions, [name: string]>("create", {
    description: "create an audience, as a draft or active",
    takes: (command) =>
      addSourceOption(
        addConfigOptions(
          command
            .argument("<name>", "name of the audience")
            .option("--active", "activate it now (uses a slot)"),
        ),
      ),
    examples: [
      "footfall audiences create 'Warehouse buyers' --topic 1204,3377 --seniority vp,c_suite",
      "footfall audiences create 'Warehouse buyers' --config audience.json --active",
      "jq .config audience.json | footfall audiences create 'Warehouse buyers' --config -",
    ],
    credential: "either",
    creates: true,
    run: async ({ connect, creation, options, print, terminal }, name) => {
      const client = await connect()
      const config = await givenConfig(terminal, client, options)
      const status = options.active === true ? "active" : undefined

      const audience = await client.audiences.create({ name, status, config }, creation)

      await print(audience, () =>
        lines(
          `Created audience ${audience.name} (${audience.status}): ${audience.id}`,
          ...statusLines(audience),
        ),
      )
    },
  }),

  define<UpdateOptions, [id: string]>("update", {
    description: "change the name or the configuration",
    takes: (command) =>
      addSourceOption(
        addConfigOptions(
          command
            .argument("<id>", "id or name of the audience", audienceId)
            .option("--name <name>", "new name")
            .option("--no-segment", "not only people in a segment")
            .option("--no-topic", "no topics: everyone in the segment"),
        ),
      ),
    examples: [
      "footfall audiences update 'Warehouse buyers' --name Buyers",
      "footfall audiences update 'Warehouse buyers' --min-score 80 --has-phone",
      "footfall audiences update 'Warehouse buyers' --config audience.json",
    ],
    credential: "either",
    run: async ({ connect, options, print, terminal }, id) => {
      const { name } = options
      if (name === undefined && !hasConfig(options)) {
        throw usageError("Nothing to update.", "Add --name or a configuration option.")
      }
      const client = await connect()
      const config = hasConfig(options)
        ? await givenConfig(terminal, client, options, await presentConfig(client, id, options))
        : undefined

      const audience = await client.audiences.update(id, { name, config })

      await print(audience, () =>
        lines(
          `Updated audience ${audience.name}.`,
          config === undefined ? null : "The new configuration applies from the next run.",
        ),
      )
    },
  }),

  define<object, [id: string]>("activate", {
    description: "activate an audience; uses a slot but does not start a run",
    takes: (command) => command.argument("<id>", "id or name of the audience", audienceId),
    examples: ["footfall audiences activate 'Warehouse buyers'"],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()

      const audience = await client.audiences.activate(id)

      await print(audience, () =>
        lines(`Activated audience ${audience.name}.`, ...statusLines(audience)),
      )
    },
  }),

  define<object, [id: string]>("pause", {
    description: "pause an audience: it stops running and frees its slot",
    takes: (command) => command.argument("<id>", "id or name of the audience", audienceId),
    examples: ["footfall audiences pause 'Warehouse buyers'"],
    credential: "either",
    run: async ({ connect, print }, id) => {
      const client = await connect()

      const audience = await client.audiences.pause(id)

      await print(audience, () =>
        lines(
          `Paused audience ${audience.name}. A run in progress will finish.`,
          `To resume: footfall audiences activate ${audience.id}`,
        ),
      )
    },
  }),

  defineDelete({
    description: "delete an audience and its destinations; delivered contacts stay",
    id: ["id or name of the audience", audienceId],
    example: "footfall audiences delete 'Warehouse buyers'",
    credential: "either",
    warning: (id) =>
      `Audience ${id} and its destinations will be deleted. Queued runs and deliveries will be canceled.`,
    run: ({ audiences }, id) => audiences.delete(id),
    done: (id) => `Deleted audience ${id}.`,
  }),
]

/** Nothing for a paused audience, because the command did not pause it. */
const statusLines = ({ accessType, config, id, status }: Audience): ReadonlyArray<string> => {
  if (status === "draft") {
    return [`It does not run until you activate it: footfall audiences activate ${id}`]
  }
  if (status === "paused") return []
  return [
    accessType === "one_shot"
      ? "No slot is free. The audience can run once and is then paused."
      : `It runs automatically ${runDays(config)}.`,
    `To run it now: footfall runs start ${id}`,
  ]
}

const rowsOf = (
  filter: ListedAudienceFilter,
  filters: AudienceFilterValues | AudienceFilterCounts,
): ReadonlyArray<object> =>
  filters[filter].map((value) =>
    typeof value === "string" ? { filter, value } : { filter, ...value },
  )

export const audienceList = listForm<Audience, ListMeta>({
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
  nouns: ["audience", "audiences"],
  empty: {
    message: "There are no audiences yet.",
    next: "Run: footfall audiences create <name> --topic <id>",
  },
  columns: ({ now }) => [
    { title: "Id", cell: ({ id }) => id },
    { title: "Name", cell: ({ name }) => name, widthMin: 8, widthKept: 20 },
    { title: "Status", cell: audienceStatusText },
    { title: "People", cell: peopleCell, align: "right", dropRank: 1 },
    {
      title: "Topics",
      cell: ({ config }) => `${config.topicIds.length}`,
      align: "right",
      dropRank: 3,
    },
    { title: "Refreshed", cell: refreshedCell(now), align: "right", dropRank: 2 },
  ],
})

/** What the configuration names by id. Leaves out what is unknown or can't be loaded now. */
const namesOf = async (client: Footfall, config: AudienceConfigParams): Promise<AudienceNames> => {
  const { topicNamesOf } = await import("../topics/topic-reference.ts")
  const [segment, topics] = await Promise.all([
    segmentNameOf(client, config),
    topicNamesOf(client, config.topicIds ?? []),
  ])
  return { segment, topics }
}

const segmentNameOf = async (
  client: Footfall,
  { segmentId }: AudienceConfigParams,
): Promise<string | undefined> => {
  if (segmentId === undefined || segmentId === null) return undefined
  return (await ifAvailable(client.segments.get(segmentId, extra)))?.name
}

/** The server replaces whole configurations, so unchanged parts are sent again. */
const presentConfig = async (
  client: Footfall,
  id: string,
  options: UpdateOptions,
): Promise<AudienceConfigParams | undefined> => {
  if (options.config !== undefined) return undefined
  const { topics: _, ...config } = (await client.audiences.get(id)).config
  return config
}

/** Before the first run the count is unknown, which is not zero. */
const peopleCell = ({ audienceSize, lastRefreshedAt }: Audience): string =>
  lastRefreshedAt === null ? "" : countText(audienceSize)

const refreshedCell =
  (now: Date) =>
  ({ lastRefreshedAt }: Audience): string =>
    lastRefreshedAt === null ? "never" : timeAgo(lastRefreshedAt, now)
