// Topics: what companies and people read about, and which topics grow.
import type { Topic, TopicListMeta } from "@footfall/sdk"
import { Link, Outlet, useMatch, useNavigate, useSearch } from "@tanstack/react-router"
import { footfall } from "../session/session.ts"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { plural } from "../ui/time.tsx"
import { Compare } from "./compare.tsx"
import { TopicLists } from "./lists.tsx"
import { Movers } from "./movers.tsx"
import { nameColumn } from "./name-column.tsx"
import type { TopicsView } from "./search.ts"
import { SiteTopics } from "./site.tsx"

/** Topics per page. */
const pageSize = 100

const views: ReadonlyArray<readonly [view: TopicsView, name: string]> = [
  ["all", "All topics"],
  ["up", "Growing"],
  ["down", "Shrinking"],
  ["compare", "Compare"],
  ["lists", "Lists"],
  ["site", "Topics of a page"],
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
      actions={
        view === "all" && (
          <SearchBox
            label="Search topics"
            placeholder="Part of a name"
            value={q ?? ""}
            onValue={(text) =>
              void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) })
            }
          />
        )
      }
    >
      <nav className="tabs" aria-label="Views">
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
      </nav>
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
      <Empty title="No topics yet">
        An owner loads topics and their readers on the command line, with{" "}
        <code>footfall imports run topics</code>.
      </Empty>
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

export default Topics
