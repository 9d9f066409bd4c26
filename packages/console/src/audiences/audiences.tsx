// Audiences find people in intent data by topics, scores and filters.
import type { Audience, AudienceStatus } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useMatch } from "@tanstack/react-router"
import { useCreating } from "../frame/creating.ts"
import { audiencesQuery } from "../queries.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { Builder } from "./builder.tsx"
import { audienceTones } from "./words.ts"

export const AudienceState = ({ status }: { readonly status: AudienceStatus }) => (
  <Badge tone={audienceTones[status]}>{status}</Badge>
)

const columns: ReadonlyArray<Column<Audience>> = [
  {
    id: "name",
    title: "Name",
    width: "minmax(9rem, 2fr)",
    cell: ({ config, id, name }) => (
      <>
        <Link
          className="open cut"
          to="/audiences/$audienceId"
          params={{ audienceId: id }}
          search={true}
        >
          {name}
        </Link>
        <p className="cut soft small">
          {config.topics.map(({ topicName }) => topicName).join(", ")}
        </p>
      </>
    ),
  },
  {
    id: "state",
    title: "State",
    width: "6.5rem",
    cell: ({ status }) => <AudienceState status={status} />,
  },
  {
    id: "people",
    title: "People",
    width: "6rem",
    isNumber: true,
    from: 420,
    cell: ({ audienceSize, lastRefreshedAt }) =>
      lastRefreshedAt === null ? <span className="soft">–</span> : count(audienceSize),
  },
  {
    id: "run",
    title: "Last run",
    width: "8rem",
    isNumber: true,
    from: 560,
    cell: ({ lastRefreshedAt }) => <Time at={lastRefreshedAt} />,
  },
]

const Audiences = () => {
  const { canWrite } = useMe()
  const [isBuilding, setBuilding] = useCreating("/audiences")
  const query = useQuery(audiencesQuery)
  const openKey = useMatch({ from: "/signed/audiences/$audienceId", shouldThrow: false })?.params
    .audienceId
  const create = canWrite && (
    <Button kind="primary" onClick={() => setBuilding(true)}>
      Create an audience
    </Button>
  )
  return (
    <Screen
      title="Audiences"
      isFilled
      actions={
        canWrite && (
          <>
            <Link className="button normal" to="/connected-accounts" search={true}>
              Connected accounts
            </Link>
            {create}
          </>
        )
      }
      panel={openKey === undefined ? undefined : <Outlet />}
    >
      <Read query={query}>
        {(audiences) =>
          audiences.length === 0 ? (
            <Empty title="No audiences yet" action={create}>
              An audience is everyone who reads about your topics and matches your filters. You'll
              see how many people that is before you save it.
            </Empty>
          ) : (
            <List
              label="Audiences"
              columns={columns}
              rows={audiences}
              keyOf={({ id }) => id}
              openKey={openKey}
            />
          )
        }
      </Read>
      {isBuilding && <Builder onClose={() => setBuilding(false)} />}
    </Screen>
  )
}

export default Audiences
