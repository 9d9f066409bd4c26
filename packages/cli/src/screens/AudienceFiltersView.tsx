// What people can be filtered by: the values of each filter, or how many people have each.

import type {
  AudienceFilterCount,
  AudienceFilterCounts,
  AudienceFilterValues,
  ListedAudienceFilter,
} from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { plainText } from "../terminal/plain-text.ts"
import { Prose } from "./Prose.tsx"
import { filterWords } from "./audience-words.ts"
import { Bars } from "./Bars.tsx"
import { countText } from "./figures.ts"

/** The filters and which of them are shown. */
export interface AudienceFiltersViewProps {
  readonly filters: AudienceFilterValues | AudienceFilterCounts
  readonly names: ReadonlyArray<ListedAudienceFilter>
  readonly screenColumns: number
}

/** Values of one filter beside others; alone it is shown whole. */
const VALUES_SHOWN = 30

/** Open lists (industry, state) may be long. */
export const AudienceFiltersView = (props: AudienceFiltersViewProps): ReactNode => {
  const { filters, names, screenColumns } = props
  const shownMax = names.length === 1 ? Infinity : VALUES_SHOWN
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      {names.map((name) => (
        <Box key={name} flexDirection="column">
          <Text>
            <Text bold>{filterWords[name]}</Text>
            <Text dimColor>{` · ${name}`}</Text>
          </Text>
          <Values values={filters[name].slice(0, shownMax)} screenColumns={screenColumns} />
          {filters[name].length > shownMax ? (
            <Text dimColor>
              {`${filters[name].length - shownMax} more: footfall audiences filters ${name}`}
            </Text>
          ) : null}
        </Box>
      ))}
      {names.length === 1 ? null : <Prose dimColor>{FILTERS_WITHOUT_LIST}</Prose>}
    </Box>
  )
}

/** Source: spec 2.9. */
const FILTERS_WITHOUT_LIST =
  "Without a list: --job-title, --company-name, --company-domain, and --has- or --without-phone, " +
  "-linkedin, -business-email, -personal-email"

const Values = (props: {
  readonly values: ReadonlyArray<string | AudienceFilterCount>
  readonly screenColumns: number
}): ReactNode => {
  const { values, screenColumns } = props
  if (values.length === 0) return <Text dimColor>No value occurs in the data yet.</Text>
  const counts = values.filter((value) => typeof value !== "string")
  if (counts.length === 0)
    return <Words words={values.filter((value) => typeof value === "string")} />
  return (
    <Bars
      rows={counts.map(({ value, count }) => ({
        label: value,
        value: count,
        text: countText(count),
      }))}
      screenColumns={screenColumns}
    />
  )
}

/** Separated by commas; a line ends between two of them only. */
const Words = ({ words }: { readonly words: ReadonlyArray<string> }): ReactNode => (
  <Box flexWrap="wrap" columnGap={1}>
    {words.map((word, index) => (
      <Text key={word}>{`${plainText(word)}${index === words.length - 1 ? "" : ","}`}</Text>
    ))}
  </Box>
)
