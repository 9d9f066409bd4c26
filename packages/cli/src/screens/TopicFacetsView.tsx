// How the catalogue is made up: topics of each type, industry and category, as bars.

import type { TopicFacet, TopicFacets } from "@footfall/sdk"
import { Box, Text } from "ink"
import type { ReactNode } from "react"
import { EmptyState } from "./EmptyState.tsx"
import { Bars } from "./Bars.tsx"
import { countText, counted } from "./figures.ts"

/** The facets and the width there is. */
export interface TopicFacetsViewProps {
  readonly facets: TopicFacets
  readonly screenColumns: number
}

/** Values of one kind that are shown; all of them are in the other forms. */
const VALUES_SHOWN = 20

/** The largest first. */
export const TopicFacetsView = ({ facets, screenColumns }: TopicFacetsViewProps): ReactNode => {
  const { types, industries, categories, total } = facets
  if (total === 0) {
    return <EmptyState says="There are no topics yet." next="Run: footfall import topics <file>" />
  }
  return (
    <Box flexDirection="column" rowGap={1} width={screenColumns}>
      <Text bold>{counted(total, "topic")}</Text>
      <Facet title="Type" values={types} screenColumns={screenColumns} />
      <Facet title="Industry" values={industries} screenColumns={screenColumns} />
      <Facet title="Category" values={categories} screenColumns={screenColumns} />
    </Box>
  )
}

const Facet = (props: {
  readonly title: string
  readonly values: ReadonlyArray<TopicFacet>
  readonly screenColumns: number
}): ReactNode => {
  const { title, values, screenColumns } = props
  const shown = values.toSorted((one, other) => other.count - one.count).slice(0, VALUES_SHOWN)
  return (
    <Box flexDirection="column">
      <Text dimColor>{title}</Text>
      <Bars
        rows={shown.map(({ value, count }) => ({
          label: value,
          value: count,
          text: countText(count),
        }))}
        screenColumns={screenColumns}
      />
      {values.length > shown.length ? (
        <Text dimColor>{`${values.length - shown.length} more: --output csv`}</Text>
      ) : null}
    </Box>
  )
}
