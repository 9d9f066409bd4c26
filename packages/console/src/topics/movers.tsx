// The topics whose audience changed most between the two newest days, each with a bar.
import type { TopicMover } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Bar } from "../plots/bars.tsx"
import { footfall } from "../session/session.ts"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { count } from "../ui/time.tsx"
import { nameColumn } from "./name-column.tsx"

interface MoversProps {
  readonly direction: "up" | "down"
  readonly openKey: string | undefined
}

const columnsOf = (movers: ReadonlyArray<TopicMover>): ReadonlyArray<Column<TopicMover>> => {
  const top = Math.max(1, ...movers.map(({ pctChange }) => Math.abs(pctChange)))
  return [
    nameColumn,
    {
      id: "today",
      title: "People",
      width: "4rem",
      isNumber: true,
      cell: ({ todayAudience }) => count(todayAudience),
    },
    {
      id: "before",
      title: "Day before",
      width: "6rem",
      isNumber: true,
      from: 470,
      cell: ({ yesterdayAudience }) => count(yesterdayAudience),
    },
    {
      id: "change",
      title: "Change",
      width: "5rem",
      isNumber: true,
      cell: ({ pctChange }) => `${pctChange > 0 ? "+" : ""}${pctChange.toFixed(1)}%`,
    },
    {
      id: "bar",
      title: "Bar of the change",
      isTitleHidden: true,
      width: "minmax(5rem, 1fr)",
      from: 640,
      cell: ({ pctChange }) => <Bar share={Math.abs(pctChange) / top} />,
    },
  ]
}

export const Movers = ({ direction, openKey }: MoversProps) => {
  const query = useQuery({
    queryKey: ["topics", "movers", direction],
    queryFn: ({ signal }) => footfall.topics.movers({ direction, limit: 50 }, { signal }),
  })
  return (
    <Read query={query}>
      {(movers) =>
        movers.length === 0 ? (
          <Empty title="Nothing has changed">
            This needs two days of data. Topics appear here when their audience changes from one day
            to the next.
          </Empty>
        ) : (
          <List
            label="Topics by change"
            columns={columnsOf(movers)}
            rows={movers}
            keyOf={({ topicId }) => String(topicId)}
            openKey={openKey}
            foot="Between the two newest days with data"
          />
        )
      }
    </Read>
  )
}
