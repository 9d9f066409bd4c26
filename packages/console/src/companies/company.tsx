// One company: its details, its identified people, its visitors' activity, and why it's suppressed.
import { readablePage } from "@footfall/normal-form/page"
import { type CompanyWithJourney, NotFoundError, type SuppressionRule } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { ForSite, useScope } from "../frame/scope.tsx"
import { CompanyMark } from "../footprints/mark.tsx"
import { nameOf } from "../people/name.ts"
import { Visits } from "../people/timeline.tsx"
import { footfall } from "../session/session.ts"
import { Marks } from "../teamwork/marks.tsx"
import { Notes } from "../teamwork/notes.tsx"
import { Badge } from "../ui/badge.tsx"
import { Copy } from "../ui/copy.tsx"
import { Fact, Outside } from "../ui/facts.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { ScoreExplanation } from "../ui/score.tsx"
import { ReadsAbout } from "../ui/topics.tsx"
import { sourceOf } from "../ui/source.ts"
import { count, plural, Time } from "../ui/time.tsx"
import { useMe } from "../session/use-session.ts"
import { useRemoveRules } from "../suppression/use-rules.ts"
import { ruleWords } from "../suppression/words.ts"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { useWrite } from "../ui/use-write.ts"
import { isolated } from "../ui/isolated.ts"
import { WhoWalked } from "./who-walked.tsx"
import "../ui/record.css"

const CompanyPanel = () => {
  const { domain } = useParams({ from: "/signed/companies/$domain" })
  const navigate = useNavigate()
  return (
    <Panel
      label="company"
      canOpen
      onClose={() =>
        void navigate({ to: "/companies", search: (old) => ({ ...old, wide: undefined }) })
      }
    >
      <ForSite>
        <Company domain={domain} />
      </ForSite>
    </Panel>
  )
}

const Company = ({ domain }: { readonly domain: string }) => {
  const { period, pixelId } = useScope()
  const query = useQuery({
    queryKey: ["companies", "one", domain, { period, pixelId }],
    queryFn: ({ signal }) => footfall.companies.get(domain, { ...period, pixelId }, { signal }),
  })
  if (query.error instanceof NotFoundError) return <NotHere domain={domain} />
  return <Read query={query}>{(company) => <Profile company={company} />}</Read>
}

const NotHere = ({ domain }: { readonly domain: string }) => {
  const { site, timeframe } = useScope()
  useTitle(domain)
  const isWhole = timeframe === "all" && site === undefined
  return (
    <>
      <h1 className="name break">{domain}</h1>
      <p className="soft">
        {isWhole ? "No visits from this company." : "No visits in this time window on this site."}
      </p>
      {!isWhole && (
        <p>
          <Link
            to="/companies/$domain"
            params={{ domain }}
            search={{ window: "all", site: undefined }}
            className="button"
          >
            Show all time and all sites
          </Link>
        </p>
      )}
    </>
  )
}

const Profile = ({ company }: { readonly company: CompanyWithJourney }) => {
  const { demoPageViews, domain, journey, name, pricingPageViews } = company
  const hasPeople = company.peopleCount + company.suppressedPeopleCount > 0
  useTitle(name ?? domain)
  return (
    <article className="record-page">
      <header className="record-head">
        <CompanyMark name={name ?? domain} domain={domain} size="xl" />
        <div>
          <h1 className="name break">{name ?? domain}</h1>
          <p className="soft">
            {[
              company.industry,
              company.employeeCount === null ? null : `${count(company.employeeCount)} people`,
              company.city ?? company.country,
            ]
              .filter((text) => text !== null)
              .join(", ")}
          </p>
          <p className="soft small">
            {plural(company.peopleCount, "person", "people")} known,{" "}
            {plural(company.anonymousSessions, "anonymous visit")} in this time, first seen{" "}
            <Time at={company.firstSeenAt} />
          </p>
        </div>
        <div className="tags">
          {company.suppressed && <Badge tone="warn">suppressed</Badge>}
          {!hasPeople && <Badge>no one known</Badge>}
          {pricingPageViews > 0 && <span className="tag">pricing × {count(pricingPageViews)}</span>}
          {demoPageViews > 0 && <span className="tag">demo × {count(demoPageViews)}</span>}
        </div>
      </header>
      <div className="record-body">
        <div className="record-main">
          <WhoWalked domain={domain} />
          <People company={company} />
          <section className="stack" aria-label="Activity">
            <h2>Visits</h2>
            {journey.sessions.length === 0 ? (
              <p className="soft">No visits in this time window.</p>
            ) : (
              <Visits sessions={journey.sessions} owner={{ domain }} />
            )}
            {company.sessions > journey.sessions.length && (
              <p className="soft small">
                The latest {journey.sessions.length} of {plural(company.sessions, "visit")}.
              </p>
            )}
          </section>
          <Notes subject={{ kind: "companies", id: domain }} />
        </div>
        <div className="record-side">
          <ScoreExplanation
            queryKey={["companies", "one", domain]}
            ask={(signal) => footfall.companies.score(domain, { signal })}
          />
          <ReadsAbout
            queryKey={["companies", "one", domain]}
            ask={(signal) => footfall.companies.topics(domain, { signal })}
          />
          <Marks subject={{ kind: "companies", id: domain }} record={company} />
          <section className="stack" aria-label="Profile">
            <h2>Profile</h2>
            <Facts company={company} />
          </section>
          <CompanySuppression company={company} />
        </div>
      </div>
    </article>
  )
}

const Facts = ({ company }: { readonly company: CompanyWithJourney }) => {
  const place = [company.city, company.state, company.country].filter((text) => text !== null)
  const { anonymousSessions, employeeCount, sessions } = company
  return (
    <dl className="facts">
      <Fact name="Domain">
        <Copy text={company.domain} label="domain" />
      </Fact>
      <Fact name="Employees">{employeeCount === null ? null : count(employeeCount)}</Fact>
      <Fact name="Revenue">{company.totalRevenue}</Fact>
      <Fact name="Location">{place.length > 0 ? place.join(", ") : null}</Fact>
      <Fact name="LinkedIn">
        {company.linkedinUrl === null ? null : <Outside url={company.linkedinUrl} />}
      </Fact>
      <Fact name="Visits">
        {count(sessions)}
        {anonymousSessions > 0 && `, ${count(anonymousSessions)} anonymous`} ·{" "}
        {plural(company.pageviews, "page")}
      </Fact>
      <Fact name="First seen">
        <Time at={company.firstSeenAt} shape="full" />
      </Fact>
      <Fact name="Last seen">
        <Time at={company.lastSeenAt} shape="full" />
      </Fact>
      <Fact name="Source">{sourceOf(company.utmSource, company.referrerDomain)}</Fact>
      <Fact name="Landing page">
        {company.landingPage === null ? null : (
          <code className="break">{readablePage(company.landingPage)}</code>
        )}
      </Fact>
    </dl>
  )
}

const People = ({ company }: { readonly company: CompanyWithJourney }) => {
  const { domain, people, peopleCount, suppressedPeopleCount: hidden } = company
  return (
    <section className="stack" aria-label="People">
      <h2>People</h2>
      {peopleCount + hidden === 0 && (
        <p className="soft">No one from this company is known in this time window.</p>
      )}
      {hidden > 0 && (
        <p className="soft">
          <Link to="/people" search={{ q: domain, suppressed: "only" }}>
            {peopleCount === 0
              ? `${plural(hidden, "person", "people")}, ${hidden === 1 ? "" : "all "}suppressed`
              : `${plural(hidden, "more person", "more people")}, suppressed`}
          </Link>
        </p>
      )}
      <ul className="lines">
        {people.map((person) => (
          <li key={person.emailHash} className="spread">
            <span className="cut">
              <Link
                className="person-name"
                to="/people/$visitorId"
                params={{ visitorId: person.emailHash }}
                search={true}
              >
                {nameOf(person)}
              </Link>{" "}
              <span className="soft small">{person.jobTitle}</span>
            </span>
            <span className="soft small">
              <Time at={person.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
      {peopleCount > people.length && (
        <p className="soft small">
          The latest {people.length} of {plural(peopleCount, "person", "people")}.
        </p>
      )}
    </section>
  )
}

// Why a company is suppressed: the matching rules with links to them, or a button to add one.
type SuppressedCompany = Pick<CompanyWithJourney, "domain" | "industry" | "suppressed">

/** The rules that name the company or its industry. */
const useRules = ({ domain, industry, suppressed }: SuppressedCompany) =>
  useQuery({
    queryKey: ["suppression", "of-company", domain, industry],
    queryFn: async ({ signal }): Promise<ReadonlyArray<SuppressionRule>> => {
      const named = [
        { type: "company_domain" as const, value: domain },
        ...(industry === null ? [] : [{ type: "industry" as const, value: industry }]),
      ]
      const found = await Promise.all(
        named.map(async ({ type, value }) => {
          const { data } = await footfall.suppression.list({ type, q: value }, { signal })
          return data.filter((rule) => rule.value.toLowerCase() === value.toLowerCase())
        }),
      )
      return found.flat()
    },
    enabled: suppressed,
  })

const CompanySuppression = ({ company }: { readonly company: SuppressedCompany }) => {
  const { canWrite } = useMe()
  const { data: rules, error, refetch } = useRules(company)
  const remove = useRemoveRules()
  if (!company.suppressed) return canWrite ? <Suppress domain={company.domain} /> : null
  return (
    <section className="stack" aria-label="Why suppressed">
      <h2>Why suppressed</h2>
      <Problem error={error} onRetry={() => void refetch()} />
      {rules?.length === 0 && (
        <p className="soft">
          The rule was removed, or names another domain of the company. A removed rule stops having
          effect within a minute.
        </p>
      )}
      <ul className="stack">
        {rules?.map((rule) => (
          <li key={rule.id} className="spread card">
            <span className="break">
              {ruleWords[rule.type].one}{" "}
              <Link to="/suppression" search={{ type: rule.type, q: rule.value }}>
                {rule.value}
              </Link>
            </span>
            {canWrite && (
              <Button isBusy={remove.isPending} onClick={() => remove.mutate([rule])}>
                Remove the rule
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem error={remove.error} />
    </section>
  )
}

const Suppress = ({ domain }: { readonly domain: string }) => {
  const add = useWrite({
    write: () => footfall.suppression.add([{ type: "company_domain", value: domain }]),
    changes: [["suppression"], ["companies"], ["people"], ["person"]],
    notice: () => ({ text: isolated`Added a rule for ${domain}. It takes effect within a minute` }),
  })
  return (
    <section className="stack" aria-label="Suppress">
      <div className="row">
        <Button isBusy={add.isPending} disabled={add.isSuccess} onClick={() => add.mutate()}>
          Suppress this company
        </Button>
      </div>
      <Problem error={add.error} />
    </section>
  )
}

export default CompanyPanel
