// Companies that visitors come from, most recently seen first, whether or not a person was identified.
import type { Company, CompanyQueryMeta } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, Outlet, useMatch, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { ForSite, pixelsQuery, SuppressedSwitch, useScope } from "../frame/scope.tsx"
import { segmentsOf } from "../queries.ts"
import { CompanyMark } from "../footprints/mark.tsx"
import { footfall } from "../session/session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/empty.tsx"
import { Export } from "../ui/export.tsx"
import { CheckField, ChoiceField } from "../ui/field.tsx"
import { List, type Column } from "../ui/list.tsx"
import { MarkFilters } from "../teamwork/mark-filters.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { Screen } from "../ui/screen.tsx"
import { ScoreCell, SortField } from "../ui/score.tsx"
import { SearchBox } from "../ui/search-box.tsx"
import { sourceOf } from "../ui/source.ts"
import { count, plural, Time } from "../ui/time.tsx"

/** Companies per page. */
const pageSize = 100

const sessionChoices = [
  { value: "1", text: "Any number of visits" },
  { value: "2", text: "2+ visits" },
  { value: "3", text: "3+ visits" },
  { value: "5", text: "5+ visits" },
  { value: "10", text: "10+ visits" },
]

const none = <span className="soft">–</span>

interface CompanyColumn extends Column<Company> {
  /** Fields that the CSV export writes for this column. */
  readonly fields: ReadonlyArray<string>
}

const columns: ReadonlyArray<CompanyColumn> = [
  {
    id: "company",
    fields: ["name", "domain"],
    title: "Company",
    width: "minmax(9rem, 1.6fr)",
    cell: ({ domain, name }) => (
      <div className="who">
        <CompanyMark name={name ?? domain} domain={domain} />
        <span className="who-text">
          <Link
            className="open cut person-name"
            to="/companies/$domain"
            params={{ domain }}
            search={true}
          >
            {name ?? domain}
          </Link>
          {name !== null && <span className="cut soft small">{domain}</span>}
        </span>
      </div>
    ),
  },
  {
    id: "industry",
    fields: ["industry"],
    title: "Industry",
    width: "minmax(7rem, 1.2fr)",
    from: 810,
    cell: ({ industry }) => <p className="cut">{industry}</p>,
  },
  {
    id: "score",
    fields: ["score.total", "score.fit", "score.interest", "score.hot", "score.top.code"],
    title: "Score",
    width: "minmax(7rem, 1fr)",
    from: 420,
    cell: ({ score }) => <ScoreCell score={score} />,
  },
  {
    id: "from",
    fields: ["utmSource", "referrerDomain"],
    title: "Source",
    width: "minmax(6rem, 0.9fr)",
    from: 1035,
    cell: ({ referrerDomain, utmSource }) => (
      <p className="cut">
        {sourceOf(utmSource, referrerDomain) ?? <span className="soft">direct</span>}
      </p>
    ),
  },
  {
    id: "seen",
    fields: ["lastSeenAt", "suppressed"],
    title: "Last seen",
    width: "7rem",
    isNumber: true,
    cell: ({ lastSeenAt, suppressed }) => (
      <>
        <Time at={lastSeenAt} />
        {suppressed && (
          <p>
            <Badge tone="warn">suppressed</Badge>
          </p>
        )}
      </>
    ),
  },
  {
    id: "people",
    fields: ["peopleCount", "suppressedPeopleCount"],
    title: "People",
    width: "4.5rem",
    isNumber: true,
    from: 510,
    cell: ({ peopleCount, suppressed, suppressedPeopleCount }) => {
      const people = suppressed ? peopleCount + suppressedPeopleCount : peopleCount
      return people === 0 ? none : count(people)
    },
  },
  {
    id: "sessions",
    fields: ["sessions"],
    title: "Visits",
    width: "5rem",
    isNumber: true,
    from: 600,
    cell: ({ sessions }) => count(sessions),
  },
  {
    id: "anonymous",
    fields: ["anonymousSessions"],
    title: "Anonymous",
    width: "6rem",
    isNumber: true,
    from: 925,
    cell: ({ anonymousSessions }) => (anonymousSessions === 0 ? none : count(anonymousSessions)),
  },
  {
    id: "owner",
    fields: ["owner.name", "owner.email", "tags"],
    title: "Owner",
    width: "minmax(6rem, 0.9fr)",
    from: 1150,
    cell: ({ owner }) => (
      <p className="cut">{owner === null ? none : (owner.name ?? owner.email)}</p>
    ),
  },
  {
    id: "pricing",
    fields: ["pricingPageViews"],
    title: "Pricing",
    width: "4rem",
    isNumber: true,
    from: 690,
    cell: ({ pricingPageViews }) =>
      pricingPageViews === 0 ? none : <b className="hot-word">{count(pricingPageViews)}</b>,
  },
]

const Companies = () => {
  const {
    anonymous = false,
    owner,
    q,
    segment,
    sessions = 1,
    sort,
    tag,
  } = useSearch({
    from: "/signed/companies",
  })
  const navigate = useNavigate({ from: "/companies" })
  const openKey = useMatch({ from: "/signed/companies/$domain", shouldThrow: false })?.params.domain
  const change = (changes: object) => void navigate({ search: (old) => ({ ...old, ...changes }) })
  return (
    <Screen
      title="Companies"
      isFilled
      panel={openKey === undefined ? undefined : <Outlet />}
      views={<Views />}
      tools={
        <>
          {segment === undefined && (
            <>
              <SearchBox
                label="Search companies"
                placeholder="Part of a name or domain"
                value={q ?? ""}
                onValue={(text) => change({ q: text === "" ? undefined : text })}
              />
              <ChoiceField
                label="Visits"
                isCompact
                choices={sessionChoices}
                value={String(sessions)}
                onValue={(least) => change({ sessions: least === "1" ? undefined : Number(least) })}
              />
              <MarkFilters kind="companies" owner={owner} tag={tag} onChange={change} />
              <SortField value={sort} onValue={(order) => change({ sort: order })} />
            </>
          )}
          <SuppressedSwitch />
          {segment === undefined && (
            <CheckField
              label="No one known"
              value={anonymous}
              onValue={(isSet) => change({ anonymous: isSet ? true : undefined })}
            />
          )}
        </>
      }
    >
      <ForSite>
        <CompanyList openKey={openKey} />
      </ForSite>
    </Screen>
  )
}

const Views = () => {
  const { segment } = useSearch({ from: "/signed/companies" })
  const { data: segments = [] } = useQuery(segmentsOf("companies"))
  return (
    <nav className="chips" aria-label="Views">
      <Link
        className="chip"
        to="/companies"
        search={(old) => ({ ...old, segment: undefined })}
        activeOptions={{ exact: true }}
        aria-current={segment === undefined}
      >
        All
      </Link>
      {segments.map(({ id, name, description }) => (
        <Link
          key={id}
          className="chip cut"
          to="/companies"
          search={(old) => ({ ...old, segment: id })}
          activeOptions={{ exact: true }}
          aria-current={segment === id}
          title={description ?? name}
        >
          {name}
        </Link>
      ))}
      {segment === undefined ? (
        <Link className="chip new" to="/segments/new" search={{ subject: "companies" }}>
          + View
        </Link>
      ) : (
        <Link className="chip new" to="/segments/$segmentId" params={{ segmentId: segment }}>
          Open the rule
        </Link>
      )}
    </nav>
  )
}

const isSuppressed = ({ suppressed }: Company): boolean => suppressed

const CompanyList = ({ openKey }: { readonly openKey: string | undefined }) => {
  const { anonymous, owner, q, segment, sessions, sort, tag } = useSearch({
    from: "/signed/companies",
  })
  const { period, pixelId, site, suppressed, timeframe } = useScope()
  const ask = async (
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly data: ReadonlyArray<Company>; readonly meta: CompanyQueryMeta }> => {
    if (segment !== undefined) {
      // The windows of segments are n × 24 hours, and so is the count in the rule builder.
      const within = timeframe === undefined ? period : { window: timeframe }
      const query = { ...within, pixelId, suppressed, limit: pageSize, cursor }
      return footfall.companies.query({ segmentId: segment, ...query }, { signal })
    }
    return footfall.companies.list(
      {
        ...period,
        domain: site,
        q: q?.slice(0, 100),
        minSessions: sessions,
        anonymous,
        ownerId: owner,
        tag,
        suppressed,
        sort,
        limit: pageSize,
        cursor,
      },
      { signal },
    )
  }
  const [isExporting, setExporting] = useState(false)
  const companies = usePages<Company, CompanyQueryMeta>({
    key: [
      "companies",
      "list",
      { anonymous, owner, q, segment, sessions, sort, tag },
      { period, timeframe, site, pixelId, suppressed },
    ],
    load: ask,
  })
  const { error, isPending, meta, onEnd, retry, rows } = companies
  if (error !== null && rows.length === 0) return <Problem error={error} onRetry={retry} />
  if (isPending) return <Waiting />
  if (rows.length === 0) {
    const isFiltered = [anonymous, owner, q, segment, sessions, tag].some(
      (filter) => filter !== undefined,
    )
    return <NoCompanies isFiltered={isFiltered} />
  }
  return (
    <>
      <List
        label="Companies"
        columns={columns}
        rows={rows}
        keyOf={({ domain }) => domain}
        openKey={openKey}
        isFaint={isSuppressed}
        total={meta?.total ?? undefined}
        onEnd={onEnd}
      />
      <Rest pages={companies} />
      <div className="spread list-foot">
        <span>
          {meta?.total === null && companies.hasMore
            ? `The first ${plural(rows.length, "company", "companies")}`
            : plural(meta?.total ?? rows.length, "company", "companies")}
        </span>
        <Button kind="plain" className="small" onClick={() => setExporting(true)}>
          Save as CSV…
        </Button>
      </div>
      {isExporting && (
        <Export
          name="companies"
          ask={ask}
          columns={columns}
          total={meta?.total}
          onClose={() => setExporting(false)}
        />
      )}
    </>
  )
}

const NoCompanies = ({ isFiltered }: { readonly isFiltered: boolean }) => {
  const { site, suppressed, timeframe } = useScope()
  const { data: pixels } = useQuery(pixelsQuery)
  const hasEvents = pixels?.some(({ lastEventAt }) => lastEventAt !== null) ?? true
  if (!hasEvents) {
    return (
      <Empty
        title="No companies yet"
        action={
          <Link to="/start" className="button primary">
            Put the tag on your site
          </Link>
        }
      >
        A company appears here when someone visits from its network, or when a visitor with a
        business email becomes known.
      </Empty>
    )
  }
  const isNarrow = isFiltered || site !== undefined || suppressed === "only"
  return (
    <Empty
      title={isNarrow ? "No matching companies" : "No visits could be matched to a company"}
      action={
        (isNarrow || timeframe !== "all" || suppressed !== "include") && (
          <Link
            to="/companies"
            search={{ window: "all", site: undefined, suppressed: "include" }}
            className="button"
          >
            Show all companies
          </Link>
        )
      }
    >
      {isNarrow
        ? "No company in this time window matches the search, the view, the filters and the site."
        : `A company is recognized by a visitor's business email, or by its network. For networks, the operator of this server sets IP_COMPANY_FILE.${timeframe === "all" ? "" : " There may be companies outside this time window."}`}
    </Empty>
  )
}

export default Companies
