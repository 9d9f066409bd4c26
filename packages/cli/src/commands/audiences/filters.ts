// `footfall audiences filters`: what people can be filtered by, and which values there are.

import type {
  AudienceFilterCounts,
  AudienceFilterValues,
  ListedAudienceFilter,
} from "@footfall/sdk"
import { Argument, type Command } from "commander"
import { connect } from "../../connection/connect.ts"
import type { GlobalOptions } from "../../connection/global-options.ts"
import { fieldsOption, outputOption, type OutputFormat } from "../../output/output-format.ts"
import { printRows } from "../../output/print-rows.ts"
import type { Terminal } from "../../terminal/terminal.ts"
import { examples } from "../examples.ts"

/** As commander hands them over. */
interface FiltersOptions extends GlobalOptions {
  readonly counts?: true
  readonly output?: OutputFormat
}

/** Source: spec 5.8. */
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

/** Adds the command to its group. */
export const addAudiencesFilters = (audiences: Command, terminal: Terminal): void => {
  audiences
    .command("filters")
    .description("list what people can be filtered by, and the values of each filter")
    .addArgument(new Argument("[filter]", "only this one").choices(filterNames).argOptional())
    .option("--counts", "count the people that have each value")
    .addOption(outputOption())
    .addOption(fieldsOption())
    .addHelpText(
      "after",
      examples(
        "footfall audiences filters",
        "footfall audiences filters companyIndustry --counts",
        "footfall audiences filters --counts --output csv > filters.csv",
      ),
    )
    .action(async (only: ListedAudienceFilter | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<FiltersOptions>()
      const client = await connect(terminal, command, "either")
      const names = only === undefined ? filterNames : [only]

      const filters = await client.audiences.filters({ includeCounts: options.counts })

      await printRows(terminal, options, {
        data: Object.fromEntries(names.map((name) => [name, filters[name]])),
        rows: names.flatMap((name) => rowsOf(name, filters)),
        csvColumns: ["filter", "value", ...(options.counts ? ["label", "count"] : [])],
        drawn: async (columns) => {
          const [{ drawn }, { AudienceFiltersView }] = await Promise.all([
            import("../../screens/drawn.ts"),
            import("../../screens/AudienceFiltersView.tsx"),
          ])
          return drawn(AudienceFiltersView, { filters, names, screenColumns: columns }, columns)
        },
      })
    })
}

const rowsOf = (
  filter: ListedAudienceFilter,
  filters: AudienceFilterValues | AudienceFilterCounts,
): ReadonlyArray<object> =>
  filters[filter].map((value) =>
    typeof value === "string" ? { filter, value } : { filter, ...value },
  )
