// One list: its values, with a search, and what members can do with it.
import type { List as AnyList, ListMember, ListMembersMeta } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { listQuery } from "../queries.ts"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { Dialog } from "../ui/dialog.tsx"
import { Empty } from "../ui/empty.tsx"
import { isolated } from "../ui/isolated.ts"
import { List, type Column } from "../ui/list.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Read, Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { AddValues } from "./add-values.tsx"
import { DeleteList, RenameList } from "./change-list.tsx"
import { listWords, sizeText } from "./words.ts"

/** Values per page. */
const pageSize = 200

type Dialogs = "add" | "rename" | "delete"

const ListScreen = () => {
  const { listId } = useParams({ from: "/signed/lists/$listId" })
  const { q } = useSearch({ from: "/signed/lists/$listId" })
  const navigate = useNavigate({ from: "/lists/$listId" })
  const { canWrite } = useMe()
  const [dialog, setDialog] = useState<Dialogs>()
  const query = useQuery(listQuery(listId))
  const list = query.data
  const close = (): void => setDialog(undefined)
  return (
    <Screen
      title={list?.name ?? "List"}
      isFilled
      parent={{ to: "/lists", name: "Lists" }}
      tools={
        <SearchBox
          label="Search values"
          placeholder="Part of a value"
          value={q ?? ""}
          onValue={(text) =>
            void navigate({ search: (old) => ({ ...old, q: text === "" ? undefined : text }) })
          }
        />
      }
      actions={
        <>
          {canWrite && list !== undefined && (
            <>
              <Button onClick={() => setDialog("rename")}>Rename</Button>
              <Button onClick={() => setDialog("delete")}>Delete</Button>
              <Button kind="primary" onClick={() => setDialog("add")}>
                Add values
              </Button>
            </>
          )}
        </>
      }
    >
      <Read query={query} gone="This list no longer exists.">
        {(found) => (
          <>
            <p className="soft small">
              {sizeText(found)} · changed <Time at={found.updatedAt} />
            </p>
            <Members list={found} q={q} onAdd={canWrite ? () => setDialog("add") : undefined} />
            {dialog === "add" && <AddValues list={found} onClose={close} />}
            {dialog === "rename" && <RenameList list={found} onClose={close} />}
            {dialog === "delete" && <DeleteList list={found} onClose={close} />}
          </>
        )}
      </Read>
    </Screen>
  )
}

interface MembersProps {
  readonly list: AnyList
  readonly q: string | undefined
  /** Undefined for a viewer. */
  readonly onAdd: (() => void) | undefined
}

const Members = ({ list, onAdd, q }: MembersProps) => {
  const members = usePages<ListMember, ListMembersMeta>({
    key: ["lists", list.id, "members", { q }],
    load: (cursor, signal) =>
      footfall.lists.members(list.id, { q, limit: pageSize, cursor }, { signal }),
  })
  if (members.error !== null && members.rows.length === 0) {
    return <Problem error={members.error} onRetry={members.retry} />
  }
  if (members.isPending) return <Waiting />
  if (members.rows.length === 0) {
    return q === undefined ? (
      <Empty
        title="Nothing in this list"
        action={
          onAdd !== undefined && (
            <Button kind="primary" onClick={onAdd}>
              Add values
            </Button>
          )
        }
      >
        {listWords[list.subject].holds}
      </Empty>
    ) : (
      <Empty title="No matching values">No value of this list contains this text.</Empty>
    )
  }
  return (
    <>
      <List
        label="Values"
        columns={onAdd === undefined ? columns : [...columns, removeColumn(list)]}
        rows={members.rows}
        keyOf={({ value }) => value}
        total={q === undefined ? list.size : undefined}
        onEnd={members.onEnd}
      />
      <Rest pages={members} />
    </>
  )
}

const columns: ReadonlyArray<Column<ListMember>> = [
  {
    id: "value",
    title: "Value",
    width: "minmax(10rem, 3fr)",
    cell: ({ value }) => (
      <p className="cut" title={value}>
        <code>{value}</code>
      </p>
    ),
  },
  {
    id: "added",
    title: "Added",
    width: "8rem",
    from: 480,
    isNumber: true,
    cell: ({ addedAt }) => <Time at={addedAt} />,
  },
]

const removeColumn = (list: AnyList): Column<ListMember> => ({
  id: "remove",
  title: "Remove",
  isTitleHidden: true,
  width: "6rem",
  isNumber: true,
  cell: ({ value }) => <RemoveValue list={list} value={value} />,
})

const RemoveValue = ({ list, value }: { readonly list: AnyList; readonly value: string }) => {
  const remove = useWrite({
    write: () => footfall.lists.removeMembers(list.id, { values: [value] }),
    changes: [["lists"]],
    edit: (row) => ((row as Partial<ListMember>).value === value ? undefined : row),
    notice: () => ({ text: isolated`Removed ${value}` }),
  })
  return (
    <>
      <Button
        kind="plain"
        aria-label={`Remove ${value}`}
        isBusy={remove.isPending}
        onClick={() => remove.mutate()}
      >
        Remove
      </Button>
      {remove.error !== null && (
        <Dialog title="The value was not removed" onClose={remove.reset}>
          <Problem error={remove.error} />
        </Dialog>
      )}
    </>
  )
}

export default ListScreen
