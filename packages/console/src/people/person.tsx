// One person: who they are, what they did, why they're suppressed, and a button to erase them.
import type { Visitor, VisitorWithJourney } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { ForSite } from "../frame/for-site.tsx"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Badge } from "../ui/badge.tsx"
import { Copy } from "../ui/copy.tsx"
import { Fact, Outside } from "../ui/facts.tsx"
import { Read } from "../ui/read.tsx"
import { Panel, useTitle } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { Erase } from "./erase.tsx"
import { nameOf } from "./name.ts"
import { AddressSource, useOrigins, ValueSource } from "./origins.tsx"
import { Sent } from "./sent.tsx"
import { Timeline } from "./timeline.tsx"
import { WhySuppressed } from "./why-suppressed.tsx"

const Person = () => {
  const { visitorId } = useParams({ from: "/signed/people/$visitorId" })
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ["person", visitorId],
    queryFn: ({ signal }) => footfall.visitors.get({ email: visitorId }, { signal }),
  })
  return (
    <Panel label="person" onClose={() => void navigate({ to: "/people", search: true })}>
      <Read query={query}>{(person) => <Profile key={visitorId} person={person} />}</Read>
    </Panel>
  )
}

const Profile = ({ person }: { readonly person: VisitorWithJourney }) => {
  const { canWrite } = useMe()
  const { companyName, emailHash, jobTitle, suppressed } = person
  useTitle(nameOf(person))
  return (
    <>
      <header className="stack">
        <div>
          <h1 className="name break">{nameOf(person)}</h1>
          <p>{[jobTitle, companyName].filter((text) => text !== null).join(" · ")}</p>
        </div>
        <div className="row">
          {suppressed ? (
            <Badge tone="warn">suppressed</Badge>
          ) : (
            <Badge tone="good">identified</Badge>
          )}
          {person.pricingPageViews > 0 && <span className="tag">looked at pricing</span>}
          {person.demoPageViews > 0 && <span className="tag">looked at a demo</span>}
        </div>
      </header>
      <Facts person={person} />
      <section className="stack" aria-label="What they did">
        <h2>What they did</h2>
        <ForSite>
          <Timeline visitorId={emailHash} />
        </ForSite>
      </section>
      {canWrite && <Sent visitorHash={emailHash} />}
      <WhySuppressed visitorId={emailHash} />
      {canWrite && <Erase person={person} />}
    </>
  )
}

/** Rules and webhooks use the first address. */
const kindOf = ({ businessEmails, emails, personalEmails }: Visitor, email: string): string => {
  const kinds = [
    ...(emails.length > 1 && emails[0] === email ? ["primary"] : []),
    ...(businessEmails.includes(email) ? ["business"] : []),
    ...(personalEmails.includes(email) ? ["personal"] : []),
  ]
  return kinds.join(", ")
}

const Facts = ({ person }: { readonly person: VisitorWithJourney }) => {
  const place = [person.city, person.state, person.country].filter((text) => text !== null)
  const { firstTouch } = person.journey
  const origins = useOrigins(person.emailHash)
  const source = (...fields: ReadonlyArray<keyof Visitor>) => (
    <ValueSource origins={origins} fields={fields} />
  )
  return (
    <dl className="facts">
      <Fact name="Name" source={source("firstName", "lastName")}>
        {person.fullName}
      </Fact>
      {person.emails.map((email, index) => (
        <Fact key={email} name={index === 0 ? "Email" : ""}>
          <Copy text={email} label="address" />{" "}
          <AddressSource origins={origins} email={email} kind={kindOf(person, email)} />
        </Fact>
      ))}
      {person.phones.map((phone, index) => (
        <Fact key={phone} name={index === 0 ? "Phone" : ""} source={source("phones")}>
          <Copy text={phone} label="phone number" />
          {person.phonesDnc === true && <Badge tone="warn">do not call</Badge>}
        </Fact>
      ))}
      <Fact name="Company" source={source("companyName", "companyDomain")}>
        {person.companyDomain === null ? (
          person.companyName
        ) : (
          <Link to="/companies/$domain" params={{ domain: person.companyDomain }} search={true}>
            {person.companyName ?? person.companyDomain}
          </Link>
        )}
        {person.companyName !== null && person.companyDomain !== null && (
          <span className="soft"> {person.companyDomain}</span>
        )}
      </Fact>
      <Fact name="Job" source={source("jobTitle")}>
        {person.jobTitle}
      </Fact>
      <Fact name="Industry" source={source("industry")}>
        {person.industry}
      </Fact>
      <Fact name="Employees" source={source("companyEmployeeCount")}>
        {person.companyEmployeeCount === null ? null : count(person.companyEmployeeCount)}
      </Fact>
      <Fact name="Revenue" source={source("companyTotalRevenue")}>
        {person.companyTotalRevenue}
      </Fact>
      <Fact name="Department" source={source("department")}>
        {person.department}
      </Fact>
      <Fact name="Seniority" source={source("seniority")}>
        {person.seniority}
      </Fact>
      <Fact name="Place" source={source("city", "state", "country")}>
        {place.length > 0 ? place.join(", ") : null}
      </Fact>
      <Fact name="LinkedIn" source={source("linkedinUrl")}>
        {person.linkedinUrl === null ? (
          <span className="soft">not known</span>
        ) : (
          <Outside url={person.linkedinUrl} />
        )}
      </Fact>
      <Fact name="First seen">
        <Time at={person.firstSeenAt} shape="full" />
      </Fact>
      <Fact name="Last seen">
        <Time at={person.lastSeenAt} shape="full" />
      </Fact>
      <Fact name="First came by">
        {firstTouch === null
          ? null
          : [
              firstTouch.channel.replace("_", " "),
              firstTouch.utmSource ?? firstTouch.referrerDomain,
            ]
              .filter((text) => text !== null)
              .join(" · ")}
      </Fact>
      {Object.entries(person.customAttribution).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      <Fact name="Hash">
        <Copy text={person.emailHash} label="hash" shown={`${person.emailHash.slice(0, 16)}…`} />
      </Fact>
    </dl>
  )
}

export default Person
