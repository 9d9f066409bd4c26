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
    </Box>
  )
}

const Values = (props: {
  readonly values: ReadonlyArray<string | AudienceFilterCount>
  readonly screenColumns: number
}): ReactNode => {
  const { values, screenColumns } = props
  if (values.length === 0) return <Text dimColor>No value occurs in the data yet.</Text>
  const counts = values.filter((value) => typeof value !== "string")
  if (counts.length === 0) return <Text>{plainText(values.join(", "))}</Text>
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
