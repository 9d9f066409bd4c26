// Identified people, most recently seen first, as a full list or filtered by a segment.
import type { Visitor } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useMatch, useNavigate, useSearch } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { ForSite, pixelsQuery, SuppressedSwitch, useScope } from "../frame/scope.tsx"
import { accountQuery, segmentsOf } from "../queries.ts"
import { FilterChips } from "../segments/chips.tsx"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { CheckField } from "../ui/field.tsx"
import { Export } from "../ui/export.tsx"
import { List } from "../ui/list.tsx"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { SortField } from "../ui/score.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { count, plural } from "../ui/time.tsx"
import {
  fitted,
  type PeopleColumn,
  peopleColumns,
  readColumns,
  rememberColumns,
} from "./columns.tsx"
import { isAddress, type PeopleSearch } from "../searches.ts"
import { usePeople } from "./use-people.ts"
import { MarkFilters } from "../teamwork/mark-filters.tsx"
import { Dialog } from "../ui/dialog.tsx"
import "./people.css"

const People = () => {
  const { owner, q, rule, segment, sort, tag } = useSearch({ from: "/signed/people" })
  const navigate = useNavigate({ from: "/people" })
  const isWithin = rule !== undefined || segment !== undefined
  const openKey = useMatch({ from: "/signed/people/$visitorId", shouldThrow: false })?.params
    .visitorId
  const change = (changes: object) => void navigate({ search: (old) => ({ ...old, ...changes }) })
  return (
    <Screen
      title="People"
      isFilled
      panel={openKey === undefined ? undefined : <Outlet />}
      views={<Views />}
      tools={
        <>
          <SearchBox
            label="Search people"
            placeholder={isWithin ? "Company, job or full email" : "Name or email"}
            value={q ?? ""}
            onValue={(text) =>
              change({
                q: text === "" ? undefined : text,
                // An email address searches everyone.
                ...(isAddress(text) && { segment: undefined, rule: undefined }),
              })
            }
          />
          {!isWithin && (q === undefined || !isAddress(q)) && (
            <MarkFilters kind="people" owner={owner} tag={tag} onChange={change} />
          )}
          {!isWithin && <SortField value={sort} onValue={(order) => change({ sort: order })} />}
          <SuppressedSwitch />
          <Filters />
        </>
      }
    >
      <ForSite>
        <PeopleList openKey={openKey} />
      </ForSite>
    </Screen>
  )
}

/** The conditions of the rule or of the view. Changing those of a view makes a rule that is not saved. */
const Filters = () => {
  const { rule, segment } = useSearch({ from: "/signed/people" })
  const navigate = useNavigate({ from: "/people" })
  const { data: segments = [] } = useQuery(segmentsOf("people"))
  const shown = rule ?? segments.find(({ id }) => id === segment)?.ruleAst
  return (
    <FilterChips
      // Another view has chips of its own.
      key={segment}
      rule={shown}
      rulePath={segment === undefined ? "/segments/new" : `/segments/${segment}`}
      onRule={(next) =>
        void navigate({
          search: (old) => ({
            ...withoutAddress(old),
            rule: next,
            segment: undefined,
            sort: undefined,
          }),
        })
      }
    />
  )
}

const isSuppressed = ({ suppressed }: Visitor): boolean => suppressed

const PeopleList = ({ openKey }: { readonly openKey: string | undefined }) => {
  const people = usePeople()
  const { ask, error, isPending, onEnd, retry, rows, total } = people
  const [columns, setColumns] = useState(readColumns)
  const listColumns = useMemo(() => fitted(columns), [columns])
  const [opened, setOpened] = useState<"columns" | "export" | null>(null)
  const close = () => setOpened(null)
  if (error !== null && rows.length === 0) return <Problem error={error} onRetry={retry} />
  if (isPending) return <Waiting />
  if (rows.length === 0) return <NoPeople />
  return (
    <>
      <List
        label="People"
        columns={listColumns}
        rows={rows}
        keyOf={({ emailHash }) => emailHash}
        openKey={openKey}
        isFaint={isSuppressed}
        total={total ?? undefined}
        onEnd={onEnd}
      />
      <Rest pages={people} />
      <div className="spread list-foot">
        <span>
          <Foot pages={people} />
        </span>
        <span className="row">
          <Button kind="plain" className="small" onClick={() => setOpened("columns")}>
            Columns…
          </Button>
          <Button kind="plain" className="small" onClick={() => setOpened("export")}>
            Save as CSV…
          </Button>
        </span>
      </div>
      {opened === "columns" && (
        <ChooseColumns chosen={columns} onChosen={setColumns} onClose={close} />
      )}
      {opened === "export" && (
        <Export name="people" ask={ask} columns={columns} total={total} onClose={close} />
      )}
    </>
  )
}

const Foot = ({ pages }: { readonly pages: ReturnType<typeof usePeople> }) => {
  const { hasMore, rows, total } = pages
  const { data: account } = useQuery(accountQuery)
  return (
    <>
      {typeof total !== "number" && hasMore
        ? `The first ${plural(rows.length, "person", "people")}`
        : plural(total ?? rows.length, "person", "people")}
      {account !== undefined && account.credits.limit !== null && (
        <>
          {" · "}
          {count(account.credits.used)} of {plural(account.credits.limit, "credit")} used this month
        </>
      )}
      {account !== undefined && account.credits.heldBack > 0 && (
        <>
          {" "}
          · {plural(account.credits.heldBack, "person is waiting", "people are waiting")} for a
          credit
        </>
      )}
    </>
  )
}

/** Where the search looked. */
const searchedIn = (q: string, isWithin: boolean): string => {
  if (isAddress(q)) return "The search looked for this exact email address, among everyone."
  return isWithin
    ? "The search looked at companies, their domains and job titles."
    : "The search looked at names and email addresses."
}

const NoPeople = () => {
  const { owner, q, rule, segment, tag } = useSearch({ from: "/signed/people" })
  const { periodText, site, suppressed, timeframe } = useScope()
  const { data: pixels } = useQuery(pixelsQuery)
  const isEmpty = pixels?.every(({ lastEventAt }) => lastEventAt === null) ?? false
  const isWithin = rule !== undefined || segment !== undefined
  const isMarked = owner !== undefined || tag !== undefined
  const isFiltered = q !== undefined || isWithin || isMarked || suppressed === "only"
  const isNarrow = site !== undefined || timeframe !== "all" || suppressed !== "include"
  if (!isEmpty && (isFiltered || isNarrow)) {
    return (
      <Empty
        title="No matching people"
        action={
          <Link
            to="/people"
            search={{ window: "all", site: undefined, suppressed: "include" }}
            className="button"
          >
            Show everyone
          </Link>
        }
      >
        {q !== undefined && `${searchedIn(q, isWithin)} `}
        {isFiltered
          ? "No one in this time window matches the search, the view or the filters."
          : `No one became known (${periodText}${site === undefined ? "" : `, ${site}`}).`}
      </Empty>
    )
  }
  return (
    <Empty
      title="No one is known yet"
      action={
        <Link to="/start" className="button primary">
          Put the tag on your site
        </Link>
      }
    >
      People appear here once the tag is on your site and a visitor gives an email address, clicks a
      link in an email, or matches an import.
    </Empty>
  )
}

// Chooses the columns of the people list.
interface ChooseColumnsProps {
  readonly chosen: ReadonlyArray<PeopleColumn>
  readonly onChosen: (chosen: ReadonlyArray<PeopleColumn>) => void
  readonly onClose: () => void
}

const ChooseColumns = ({ chosen, onChosen, onClose }: ChooseColumnsProps) => {
  const choose = (columns: ReadonlyArray<PeopleColumn> | undefined): void => {
    rememberColumns(columns)
    onChosen(readColumns())
  }
  return (
    <Dialog title="Columns" onClose={onClose}>
      <p className="soft">The list hides columns that don't fit. A saved file has all of them.</p>
      <div className="column-choices">
        {peopleColumns
          .filter(({ rank }) => rank > 0)
          .map((column) => (
            <CheckField
              key={column.id}
              label={column.title}
              value={chosen.includes(column)}
              onValue={(isChosen) =>
                choose(
                  peopleColumns.filter((each) =>
                    each === column ? isChosen : chosen.includes(each),
                  ),
                )
              }
            />
          ))}
      </div>
      <div className="row">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => choose(undefined)}>Reset</Button>
      </div>
    </Dialog>
  )
}

// Segments as views of the people list, and a link to create one.

/** An email address searches everyone, so selecting a segment clears it. */
const withoutAddress = <Search extends PeopleSearch>(search: Search): Search =>
  search.q !== undefined && isAddress(search.q) ? { ...search, q: undefined } : search

const Views = () => {
  const { rule, segment } = useSearch({ from: "/signed/people" })
  const { data: segments = [] } = useQuery(segmentsOf("people"))
  const rulePath: string = segment === undefined ? "/segments/new" : `/segments/${segment}`
  const isAll = segment === undefined && rule === undefined
  return (
    <nav className="chips" aria-label="Views">
      <Link
        className="chip"
        to="/people"
        search={(old) => ({ ...old, segment: undefined, rule: undefined })}
        // Otherwise it also counts as active while a segment is selected.
        activeOptions={{ exact: true }}
        aria-current={isAll}
      >
        All
      </Link>
      {rule !== undefined && (
        <Link className="chip" to="/people" search={true} aria-current>
          Unsaved rule
        </Link>
      )}
      {segments.map(({ id, name, description }) => (
        <Link
          key={id}
          className="chip cut"
          to="/people"
          search={(old) => ({ ...withoutAddress(old), segment: id, rule: undefined })}
          activeOptions={{ exact: true }}
          aria-current={segment === id}
          title={description ?? name}
        >
          {name}
        </Link>
      ))}
      {isAll ? (
        <Link className="chip new" to="/segments/new">
          + View
        </Link>
      ) : (
        <Link className="chip new" to={rulePath} search={{ rule }}>
          Open the rule
        </Link>
      )}
    </nav>
  )
}

export default People
