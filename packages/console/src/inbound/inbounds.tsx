// Inbound sources: where vendors, forms and calendars send the people they know.
import type { Inbound } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useCreating } from "../frame/creating.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"
import { CreateSource } from "./create-source.tsx"
import { presetOf } from "./presets.ts"
import { inboundsQuery, isWaiting, pollMs, useSite } from "./queries.ts"
import { SourceState } from "./state.tsx"

const SenderAndSite = ({ source }: { readonly source: Inbound }) => {
  const site = useSite(source)
  return (
    <p className="cut soft small">
      {presetOf(source.preset).name}
      {site !== null && site !== undefined && ` · ${site.domain}`}
    </p>
  )
}

const columns: ReadonlyArray<Column<Inbound>> = [
  {
    id: "name",
    title: "Name",
    width: "minmax(9rem, 3fr)",
    cell: (source) => (
      <>
        <Link
          className="open cut"
          to="/pixels/inbound/$inboundId"
          params={{ inboundId: source.id }}
          search={{}}
        >
          {source.name}
        </Link>
        <SenderAndSite source={source} />
      </>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "8rem",
    cell: (source) => <SourceState source={source} />,
  },
  {
    id: "last",
    title: "Last request",
    width: "8rem",
    isNumber: true,
    from: 480,
    cell: ({ lastRequestAt }) => <Time at={lastRequestAt} />,
  },
  {
    id: "created",
    title: "Created",
    width: "8rem",
    isNumber: true,
    from: 640,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
]

const Inbounds = () => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useCreating("/pixels/inbound")
  const query = useQuery({
    ...inboundsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(isWaiting) === true ? pollMs.waiting * 2 : pollMs.usual,
  })
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Add a source
    </Button>
  )
  return (
    <Screen
      title="Inbound sources"
      isFilled
      parent={{ to: "/pixels", name: "Sites" }}
      actions={create}
    >
      <Read query={query}>
        {(sources) =>
          sources.length === 0 ? (
            <Empty title="No sources yet" action={create}>
              A source brings people whom other tools know: visitors named by RB2B, answers to your
              forms, and bookings in your calendar.
            </Empty>
          ) : (
            <List label="Inbound sources" columns={columns} rows={sources} keyOf={({ id }) => id} />
          )
        }
      </Read>
      {isCreating && <CreateSource onClose={() => setCreating(false)} />}
    </Screen>
  )
}

export default Inbounds
