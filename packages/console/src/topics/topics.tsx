// Topics: what companies and people read about, and which topics grow.
import type { Topic, TopicListMeta, TopicMover } from "@footfall/sdk"
import { Link, Outlet, useMatch, useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { type Column, List } from "../ui/list.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Read, Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { Tabs } from "../ui/tabs.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { count, plural } from "../ui/time.tsx"
import { Compare } from "./compare.tsx"
import { TopicLists } from "./lists.tsx"
import type { TopicsView } from "../searches.ts"
import { SiteTopics } from "./site.tsx"
import { Bar } from "../plots/bars.tsx"

// The name of a topic. It opens the topic next to the list.
const nameColumn: Column<Pick<Topic, "topicId" | "topicName" | "industry">> = {
  id: "name",
  title: "Topic",
  width: "minmax(9rem, 2fr)",
  cell: ({ topicId, topicName }) => (
    <Link
      className="open cut"
      to="/topics/$topicId"
      params={{ topicId: String(topicId) }}
      search={true}
    >
      {topicName}
    </Link>
  ),
}

/** Topics per page. */
const pageSize = 100

const views: ReadonlyArray<readonly [view: TopicsView, name: string]> = [
  ["all", "All topics"],
  ["up", "Growing"],
  ["down", "Shrinking"],
  ["compare", "Compare"],
  ["lists", "Lists"],
  ["site", "Topics on a page"],
]

const topicColumns: ReadonlyArray<Column<Topic>> = [
  nameColumn,
  {
    id: "industry",
    title: "Industry",
    width: "minmax(6rem, 1fr)",
    from: 420,
    cell: ({ industry }) => <p className="cut">{industry}</p>,
  },
  {
    id: "category",
    title: "Category",
    width: "minmax(6rem, 1fr)",
    from: 640,
    cell: ({ category }) => <p className="cut">{category}</p>,
  },
  { id: "type", title: "Type", width: "5rem", from: 520, cell: ({ type }) => type },
]

const Topics = () => {
  const { q, view = "all" } = useSearch({ from: "/signed/topics" })
  const navigate = useNavigate({ from: "/topics" })
  const openKey = useMatch({ from: "/signed/topics/$topicId", shouldThrow: false })?.params.topicId
  return (
    <Screen
      title="Topics"
      isFilled
      panel={openKey === undefined ? undefined : <Outlet />}
      views={
        <Tabs label="Views" current={view}>
          {views.map(([each, name]) => (
            <Link
              key={each}
              className="tab"
              to="/topics"
              search={(old) => ({ ...old, view: each === "all" ? undefined : each })}
              activeOptions={{ explicitUndefined: true }}
              aria-current={each === view}
            >
              {name}
            </Link>
          ))}
        </Tabs>
      }
      tools={
        view === "all" ? (
          <SearchBox
            label="Search topics"
            placeholder="Part of a name"
            value={q ?? ""}
            onValue={(text) =>
              void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) })
            }
          />
        ) : undefined
      }
    >
      {view === "all" && <Catalog q={q} openKey={openKey} />}
      {(view === "up" || view === "down") && <Movers direction={view} openKey={openKey} />}
      {view === "compare" && <Compare />}
      {view === "lists" && <TopicLists />}
      {view === "site" && <SiteTopics />}
    </Screen>
  )
}

interface ListProps {
  readonly openKey: string | undefined
}

const Catalog = ({ q, openKey }: ListProps & { readonly q: string | undefined }) => {
  const topics = usePages<Topic, TopicListMeta>({
    key: ["topics", "list", q],
    load: (cursor, signal) => footfall.topics.list({ q, pageSize, cursor }, { signal }),
  })
  if (topics.error !== null && topics.rows.length === 0) {
    return <Problem error={topics.error} onRetry={topics.retry} />
  }
  if (topics.isPending) return <Waiting />
  if (topics.rows.length === 0) {
    return q === undefined ? (
      <NoTopics />
    ) : (
      <Empty title="No topic matches">No topic has “{q}” in its name.</Empty>
    )
  }
  return (
    <>
      <List
        label="Topics"
        columns={topicColumns}
        rows={topics.rows}
        keyOf={({ topicId }) => String(topicId)}
        openKey={openKey}
        total={topics.meta?.total}
        onEnd={topics.onEnd}
        foot={plural(topics.meta?.total ?? 0, "topic")}
      />
      <Rest pages={topics} />
    </>
  )
}

// The topics whose audience changed most between the two newest days, each with a bar.
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

const Movers = ({ direction, openKey }: MoversProps) => {
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

const NoTopics = () => {
  const { isOwner } = useMe()
  return (
    <Empty
      title="No topics yet"
      action={
        isOwner && (
          <Link to="/settings/imports" search={true} className="button primary">
            Import topics
          </Link>
        )
      }
    >
      An owner imports a file. Or, for a starter catalog, the operator of the server runs{" "}
      <code>npx @footfall/server starter-topics</code>.
    </Empty>
  )
}

export default Topics
