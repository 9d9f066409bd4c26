// Lists of companies and people that the team has put together, for rules, alerts and the score.
import type { List as AnyList } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useCreating } from "../frame/creating.ts"
import { listsQuery } from "../queries.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { List, type Column } from "../ui/list.tsx"
import { Read } from "../ui/read.tsx"
import { Screen } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { CreateList } from "./create-list.tsx"
import { listWords, sizeText } from "./words.ts"

const columns: ReadonlyArray<Column<AnyList>> = [
  {
    id: "name",
    title: "Name",
    width: "minmax(9rem, 3fr)",
    cell: (list) => (
      <>
        <Link className="open cut" to="/lists/$listId" params={{ listId: list.id }} search={{}}>
          {list.name}
        </Link>
        <p className="cut soft small">{sizeText(list)}</p>
      </>
    ),
  },
  {
    id: "subject",
    title: "Of",
    width: "8rem",
    from: 480,
    cell: ({ subject }) => listWords[subject].many,
  },
  {
    id: "size",
    title: "Size",
    width: "7rem",
    isNumber: true,
    from: 560,
    cell: ({ size }) => count(size),
  },
  {
    id: "changed",
    title: "Changed",
    width: "8rem",
    isNumber: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
]

const Lists = () => {
  const { canWrite } = useMe()
  const [isCreating, setCreating] = useCreating("/lists")
  const create = canWrite && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a list
    </Button>
  )
  return (
    <Screen title="Lists" isFilled actions={create}>
      <Read query={useQuery(listsQuery)}>
        {(lists) =>
          lists.length === 0 ? (
            <Empty title="No lists yet" action={create}>
              A list has companies or people that you choose, for example your target accounts. Use
              it in views, alerts and the score.
            </Empty>
          ) : (
            <List label="Lists" columns={columns} rows={lists} keyOf={({ id }) => id} />
          )
        }
      </Read>
      {isCreating && <CreateList onClose={() => setCreating(false)} />}
    </Screen>
  )
}

export default Lists
