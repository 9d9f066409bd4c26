// The latest visitors: people, and companies without an identified person, with the pages they read. It polls every few
// seconds.
import { readablePage } from "@footfall/normal-form/page"
import type { Company, Visitor } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useScope } from "../frame/scope.tsx"
import { nameOf } from "../people/name.ts"
import { footfall } from "../session/session.ts"
import { useNow } from "../ui/now.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { count, Time } from "../ui/time.tsx"

const shownMax = 10

const lookMs = 15_000

/** Pages shown per visitor. */
const pagesMax = 3

const personFields = [
  "emailHash",
  "email",
  "fullName",
  "companyName",
  "companyDomain",
  "lastSeenAt",
  "visitedPages",
  "pricingPageViews",
] as const

const companyFields = [
  "domain",
  "name",
  "lastSeenAt",
  "landingPage",
  "pricingPageViews",
  "suppressed",
] as const

interface Entry {
  readonly id: string
  readonly seenAt: string
  readonly name: string
  readonly about: string | null
  readonly pages: ReadonlyArray<string>
  readonly pricingPageViews: number
  readonly isKnown: boolean
  readonly to: string
}

/** The same request for everyone who asks. */
const useLatest = () => {
  const { period, site, suppressed } = useScope()
  return useQuery({
    queryKey: ["overview", "latest", { period, site, suppressed }],
    queryFn: async ({ signal }) => {
      const scope = { ...period, domain: site, suppressed }
      const [people, companies] = await Promise.all([
        footfall.visitors.list({ ...scope, limit: shownMax, fields: personFields }, { signal }),
        footfall.companies.list(
          { ...scope, anonymous: true, limit: shownMax, fields: companyFields },
          { signal },
        ),
      ])
      return [...people.data.map(ofPerson), ...companies.data.map(ofCompany)]
        .toSorted((a, b) => b.seenAt.localeCompare(a.seenAt))
        .slice(0, shownMax)
    },
    // Whom these days show does not change any more.
    refetchInterval: "to" in period ? false : lookMs,
    placeholderData: (before) => before,
  })
}

/** Someone whose last page is at most this old is here. */
const hereMs = 5 * 60_000

/** Who is on the sites now. Nothing if no one is, and for days that are over. */
export const Here = () => {
  const { period } = useScope()
  const { data = [] } = useLatest()
  const nowMs = useNow()
  const here = data.filter(({ seenAt }) => nowMs - Date.parse(seenAt) < hereMs)
  if (here.length === 0 || "to" in period) return null
  const known = here.filter(({ isKnown }) => isKnown).length
  const isMore = here.length === shownMax
  return (
    <p className="here">
      <b className="live">
        {count(here.length)}
        {isMore ? " or more" : ""} on your sites now
      </b>{" "}
      <span className="soft small">
        {count(known)} known, {count(here.length - known)} anonymous
      </span>
    </p>
  )
}

export const Latest = () => {
  const { period } = useScope()
  const query = useLatest()
  const { data: entries, error, refetch } = query
  const isOver = "to" in period
  const title = isOver ? "Visitors of these days, last seen first" : "Latest visitors"
  return (
    <section className="latest" aria-label={title}>
      <header className="section-head">
        <h2 className={isOver ? undefined : "live"}>{title}</h2>
      </header>
      {entries === undefined && error === null && <Waiting />}
      {entries === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {entries?.length === 0 && (
        <p className="soft">No person or company was recognized in this time window.</p>
      )}
      <ol>
        {entries?.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

const Row = ({ entry }: { readonly entry: Entry }) => (
  <li>
    <p className="spread">
      <span className="cut">
        <Link className="person-name" to={entry.to} search={true}>
          {entry.name}
        </Link>{" "}
        <span className="soft small">{entry.about}</span>
      </span>
      <span className="soft small">
        <Time at={entry.seenAt} />
      </span>
    </p>
    <p className="cut small">
      <span className="soft">{entry.pages.join(", ")}</span>
      {entry.pricingPageViews > 0 && (
        <span title="In the time window, not only in the last visit">
          {" "}
          · pricing × {count(entry.pricingPageViews)}
        </span>
      )}
    </p>
  </li>
)

const ofPerson = (person: Pick<Visitor, (typeof personFields)[number]>): Entry => ({
  id: person.emailHash,
  seenAt: person.lastSeenAt,
  name: nameOf(person),
  about: person.companyName ?? person.companyDomain,
  pages: person.visitedPages.slice(0, pagesMax).map(pathOf),
  pricingPageViews: person.pricingPageViews,
  isKnown: true,
  to: `/people/${person.emailHash}`,
})

const ofCompany = (company: Pick<Company, (typeof companyFields)[number]>): Entry => ({
  id: company.domain,
  seenAt: company.lastSeenAt,
  name: company.name ?? company.domain,
  about: "anonymous",
  pages: company.landingPage === null ? [] : [pathOf(company.landingPage)],
  pricingPageViews: company.pricingPageViews,
  isKnown: false,
  to: `/companies/${company.domain}`,
})

const pathOf = (page: string): string => readablePage(URL.parse(page)?.pathname ?? page)
