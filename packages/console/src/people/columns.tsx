// All columns of the people list, and the user's selection, stored in this browser.
import { readablePage } from "@footfall/normal-form/page"
import type { Visitor } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { CompanyMark, PersonMark } from "../footprints/mark.tsx"
import { Badge } from "../ui/badge.tsx"
import type { Column } from "../ui/list.tsx"
import { sourceOf } from "../ui/source.ts"
import { ScoreCell } from "../ui/score.tsx"
import { count, Time } from "../ui/time.tsx"
import { nameOf } from "./name.ts"

export interface PeopleColumn extends Omit<Column<Visitor>, "from"> {
  /** Minimum width. In pixels. */
  readonly least: number
  /** If the selected columns don't all fit, those with the lowest rank stay. */
  readonly rank: number
  /** Shown by default. */
  readonly isUsual?: true
  /** The fields that the CSV export writes for this column, as paths into a visitor. */
  readonly fields: ReadonlyArray<string>
}

const none = <span className="soft">–</span>

type Texts = "department" | "seniority" | "industry" | "companyTotalRevenue" | "city" | "state"
type MoreTexts = "country" | "utmCampaign" | "utmMedium" | "landingPage" | "referrer"

const text = (
  field: Texts | MoreTexts,
  title: string,
  shown: (value: string) => string = (value) => value,
): PeopleColumn => ({
  id: field,
  title,
  width: "minmax(6rem, 1fr)",
  least: 100,
  rank: 20,
  fields: [field],
  cell: ({ [field]: value }) => <p className="cut">{value === null ? none : shown(value)}</p>,
})

const number = (
  field: "demoPageViews" | "companyEmployeeCount" | "sessions" | "pageviews" | "pricingPageViews",
  title: string,
): PeopleColumn => ({
  id: field,
  title,
  width: "5rem",
  least: 80,
  rank: 20,
  isNumber: true,
  fields: [field],
  cell: (person) => {
    const value = person[field]
    return value === null || value === 0 ? none : count(value)
  },
})

const cut = (value: string | null, instead: ReactNode = none) => (
  <p className="cut">{value ?? instead}</p>
)

/** In display order. */
export const peopleColumns: ReadonlyArray<PeopleColumn> = [
  {
    id: "who",
    title: "Who",
    width: "minmax(8.75rem, 2.4fr)",
    least: 140,
    rank: 0,
    isUsual: true,
    fields: ["fullName", "email", "emailHash"],
    cell: (person) => (
      <div className="who">
        <PersonMark name={nameOf(person)} domain={person.companyDomain} />
        <span className="who-text">
          <Link
            className="open cut person-name"
            to="/people/$visitorId"
            params={{ visitorId: person.emailHash }}
            search={true}
          >
            {nameOf(person)}
          </Link>
          <span className="cut soft small">
            {(person.companyName ?? person.companyDomain) !== null && (
              <span className="on-phones">{person.companyName ?? person.companyDomain} · </span>
            )}
            <span>{person.email ?? "unknown address"}</span>
          </span>
        </span>
      </div>
    ),
  },
  {
    id: "company",
    title: "Company",
    width: "minmax(7rem, 1.3fr)",
    least: 112,
    rank: 3,
    isUsual: true,
    fields: ["companyName", "companyDomain"],
    cell: ({ companyDomain, companyName }) =>
      companyName === null && companyDomain === null ? (
        none
      ) : (
        <div className="who" title={companyDomain ?? undefined}>
          <CompanyMark name={companyName ?? companyDomain ?? ""} domain={companyDomain} size="xs" />
          <span className="cut">{companyName ?? companyDomain}</span>
        </div>
      ),
  },
  {
    id: "score",
    title: "Score",
    width: "minmax(4rem, 0.9fr)",
    least: 64,
    rank: 1,
    isUsual: true,
    fields: ["score.total", "score.fit", "score.interest", "score.hot", "score.top.code"],
    cell: ({ score }) => <ScoreCell score={score} />,
  },
  {
    id: "owner",
    title: "Owner",
    width: "minmax(6rem, 1fr)",
    least: 100,
    rank: 20,
    fields: ["owner.name", "owner.email"],
    cell: ({ owner }) => cut(owner === null ? null : (owner.name ?? owner.email)),
  },
  {
    id: "tags",
    title: "Tags",
    width: "minmax(6rem, 1fr)",
    least: 100,
    rank: 20,
    fields: ["tags"],
    cell: ({ tags }) => cut(tags.length === 0 ? null : tags.join(", ")),
  },
  {
    id: "read",
    title: "Read",
    width: "minmax(7rem, 1.2fr)",
    least: 120,
    rank: 4,
    isUsual: true,
    fields: ["visitedPages"],
    cell: ({ pricingPageViews, visitedPages }) => {
      const [newest] = visitedPages
      if (newest === undefined) return none
      const others = visitedPages.length - 1
      return (
        <>
          <p className="cut path">{readablePage(URL.parse(newest)?.pathname ?? newest)}</p>
          <p className="cut soft small">
            {pricingPageViews > 0 ? (
              <span className="hot-word">pricing × {count(pricingPageViews)}</span>
            ) : (
              others > 0 && `and ${count(others)} more`
            )}
          </p>
        </>
      )
    },
  },
  {
    id: "job",
    title: "Job",
    width: "minmax(7rem, 1.2fr)",
    least: 112,
    rank: 6,
    isUsual: true,
    fields: ["jobTitle"],
    cell: ({ jobTitle }) => cut(jobTitle),
  },
  text("department", "Department"),
  text("seniority", "Seniority"),
  text("industry", "Industry"),
  number("companyEmployeeCount", "Employees"),
  text("companyTotalRevenue", "Revenue"),
  text("city", "City"),
  text("state", "State"),
  text("country", "Country"),
  {
    id: "phone",
    title: "Phone",
    width: "minmax(7rem, 1fr)",
    least: 120,
    rank: 20,
    fields: ["phones", "phonesDnc"],
    cell: ({ phones, phonesDnc }) => (
      <>
        {cut(phones[0] ?? null)}
        {phonesDnc === true && <p className="cut soft small">do not call</p>}
      </>
    ),
  },
  {
    id: "from",
    title: "Source",
    width: "minmax(6rem, 0.9fr)",
    least: 96,
    rank: 8,
    isUsual: true,
    fields: ["utmSource", "referrerDomain"],
    cell: ({ referrerDomain, utmSource }) =>
      cut(sourceOf(utmSource, referrerDomain), <span className="soft">direct</span>),
  },
  text("utmMedium", "Medium"),
  text("utmCampaign", "Campaign"),
  text("landingPage", "First page", readablePage),
  {
    id: "seen",
    title: "Last seen",
    width: "minmax(5.5rem, 6.5rem)",
    least: 88,
    rank: 2,
    isUsual: true,
    isNumber: true,
    fields: ["lastSeenAt", "suppressed"],
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
    id: "first",
    title: "First seen",
    width: "7rem",
    least: 112,
    rank: 20,
    isNumber: true,
    fields: ["firstSeenAt"],
    cell: ({ firstSeenAt }) => <Time at={firstSeenAt} />,
  },
  number("sessions", "Visits"),
  { ...number("pageviews", "Pages"), width: "4rem", least: 64, rank: 9, isUsual: true },
  { ...number("pricingPageViews", "Pricing"), width: "4rem", least: 64 },
  { ...number("demoPageViews", "Demo"), width: "4rem", least: 64 },
]

/** Space between columns. In pixels. */
const gap = 16

/** Adds to each column the list width from which it fits next to the columns of lower rank. */
export const fitted = (chosen: ReadonlyArray<PeopleColumn>): ReadonlyArray<Column<Visitor>> => {
  const byRank = chosen.toSorted((a, b) => a.rank - b.rank)
  return chosen.map((column) => {
    const included = byRank.slice(0, byRank.indexOf(column) + 1)
    const from = included.reduce((sum, { least }) => sum + least + gap, gap)
    return column.rank === 0 ? column : { ...column, from }
  })
}

const storageKey = "footfall.people-columns"

/** Always includes the person's name. */
export const readColumns = (): ReadonlyArray<PeopleColumn> => {
  const ids = localStorage.getItem(storageKey)?.split(",")
  if (ids === undefined) return usualColumns
  return peopleColumns.filter(({ id, rank }) => rank === 0 || ids.includes(id))
}

const usualColumns = peopleColumns.filter(({ isUsual }) => isUsual === true)

/** Undefined resets to the default columns. */
export const rememberColumns = (chosen: ReadonlyArray<PeopleColumn> | undefined): void => {
  if (chosen === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, chosen.map(({ id }) => id).join(","))
}
