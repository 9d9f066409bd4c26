// One person: who they are, what they did, why they're suppressed, and a button to erase them.
import type {
  AddressOrigin,
  Origin,
  Pixel,
  Visitor,
  VisitorOrigins,
  VisitorWithJourney,
} from "@footfall/sdk"
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { PersonMark } from "../footprints/mark.tsx"
import { ForSite, pixelsQuery } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Marks } from "../teamwork/marks.tsx"
import { Notes } from "../teamwork/notes.tsx"
import { Badge } from "../ui/badge.tsx"
import { Copy } from "../ui/copy.tsx"
import { Fact, Outside } from "../ui/facts.tsx"
import { Read } from "../ui/read.tsx"
import { ScoreExplanation } from "../ui/score.tsx"
import { ReadsAbout } from "../ui/topics.tsx"
import { sourceOf } from "../ui/source.ts"
import { Panel, useTitle } from "../ui/screen.tsx"
import { count, Time } from "../ui/time.tsx"
import { Erase } from "./erase.tsx"
import { nameOf } from "./name.ts"
import { Timeline } from "./timeline.tsx"
import { WhySuppressed } from "./why-suppressed.tsx"
import { webhooksQuery } from "../queries.ts"
import { Problem } from "../ui/problem.tsx"
import { deliveryTones } from "../webhooks/history.tsx"
import "../ui/record.css"

const Person = () => {
  const { visitorId } = useParams({ from: "/signed/people/$visitorId" })
  const navigate = useNavigate()
  const query = useQuery({
    queryKey: ["person", visitorId],
    queryFn: ({ signal }) => footfall.visitors.get({ email: visitorId }, { signal }),
  })
  return (
    <Panel
      label="person"
      canOpen
      onClose={() =>
        void navigate({ to: "/people", search: (old) => ({ ...old, wide: undefined }) })
      }
    >
      <Read query={query} gone="This person is not here: never known, or erased.">
        {(person) => <Profile key={visitorId} person={person} />}
      </Read>
    </Panel>
  )
}

const Profile = ({ person }: { readonly person: VisitorWithJourney }) => {
  const { canWrite } = useMe()
  const { companyDomain, companyName, emailHash, firstName, jobTitle, suppressed } = person
  useTitle(nameOf(person))
  return (
    <article className="record-page">
      <header className="record-head">
        <PersonMark name={nameOf(person)} domain={companyDomain} size="xl" />
        <div>
          <h1 className="name break">{nameOf(person)}</h1>
          <p className="soft">
            {jobTitle}
            {jobTitle !== null && companyName !== null && " at "}
            {companyDomain === null ? (
              companyName
            ) : (
              <Link to="/companies/$domain" params={{ domain: companyDomain }} search={true}>
                {companyName ?? companyDomain}
              </Link>
            )}
          </p>
        </div>
        <div className="tags">
          {suppressed ? <Badge tone="warn">suppressed</Badge> : <Badge tone="good">known</Badge>}
          {person.pricingPageViews > 0 && <span className="tag">read pricing</span>}
          {person.demoPageViews > 0 && <span className="tag">read a demo page</span>}
        </div>
      </header>
      <div className="record-body">
        <div className="record-main">
          <section className="stack" aria-label="Activity">
            <h2>What {firstName ?? "they"} did</h2>
            <ForSite>
              <Timeline visitorId={emailHash} />
            </ForSite>
          </section>
          <Notes subject={{ kind: "people", id: emailHash }} />
          {canWrite && <Sent visitorHash={emailHash} />}
        </div>
        <div className="record-side">
          <ScoreExplanation
            queryKey={["person", emailHash]}
            ask={(signal) => footfall.visitors.score(emailHash, { signal })}
          />
          <ReadsAbout
            queryKey={["person", emailHash]}
            ask={(signal) => footfall.visitors.topics(emailHash, { signal })}
          />
          <Marks subject={{ kind: "people", id: emailHash }} record={person} />
          <section className="stack" aria-label="Profile">
            <h2>Profile</h2>
            <Facts person={person} />
          </section>
          <WhySuppressed visitorId={emailHash} />
          {canWrite && <Erase person={person} />}
        </div>
      </div>
    </article>
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
      <Fact name="Location" source={source("city", "state", "country")}>
        {place.length > 0 ? place.join(", ") : null}
      </Fact>
      <Fact name="LinkedIn" source={source("linkedinUrl")}>
        {person.linkedinUrl === null ? (
          <span className="soft">unknown</span>
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
      <Fact name="First source">
        {firstTouch === null
          ? null
          : [
              firstTouch.channel.replace("_", " "),
              sourceOf(firstTouch.utmSource, firstTouch.referrerDomain),
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

// Describes where a person's data comes from.

/** Undefined while it loads. The person is shown without it. */
const useOrigins = (visitorId: string): VisitorOrigins | undefined =>
  useQuery({
    queryKey: ["person", visitorId, "origins"],
    queryFn: ({ signal }) => footfall.visitors.origins(visitorId, { signal }),
  }).data

const words: Readonly<Record<Origin, string>> = {
  visit: "from a visit",
  import: "from an import",
  shared_import: "from a shared import",
  identity_link: "from an identity link",
  vendor: "from a vendor",
  resolver: "from the resolver",
  email_domain: "from the email address",
}

const ways = {
  identify: "from an identify call",
  form: "from a form",
  mail_link: "from a link in an email",
} as const

interface ValueSourceProps {
  readonly origins: VisitorOrigins | undefined
  /** The fields behind the value shown. The first one that has a value counts. */
  readonly fields: ReadonlyArray<string>
}

const ValueSource = ({ fields, origins }: ValueSourceProps) => {
  const found = origins?.values.find(({ field }) => fields.includes(field))
  return found === undefined ? null : <span className="soft small"> {words[found.origin]}</span>
}

interface AddressSourceProps {
  readonly origins: VisitorOrigins | undefined
  readonly email: string
  /** The kind of the address in words; empty if it has none. */
  readonly kind: string
}

const AddressSource = ({ email, kind, origins }: AddressSourceProps) => {
  const { data: pixels = [] } = useQuery(pixelsQuery)
  const found = origins?.addresses.find((address) => address.email === email)
  if (found === undefined) return <span className="soft small">{kind}</span>
  return (
    <span className="soft small">
      {kind !== "" && `${kind} · `}
      {addressWords(found, pixels)}
      {found.firstSeenAt !== null && (
        <>
          , <Time at={found.firstSeenAt} />
        </>
      )}
    </span>
  )
}

const addressWords = (
  { origin, pixelId, way }: AddressOrigin,
  pixels: ReadonlyArray<Pixel>,
): string => {
  const site = pixels.find(({ id }) => id === pixelId)?.domain
  const source = way === null || origin === "vendor" ? words[origin] : ways[way]
  return site === undefined ? source : `${source} on ${site}`
}

// Webhook events sent about a person, across all webhooks, newest first.

/** Maximum number of events, both per webhook and in total. */
const shownMax = 10

const Sent = ({ visitorHash }: { readonly visitorHash: string }) => {
  const webhooks = useQuery(webhooksQuery)
  const { error, events, isPending, total } = useQueries({
    queries: (webhooks.data ?? []).map(({ id }) => ({
      queryKey: ["webhooks", id, "history", "of", visitorHash],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const params = { visitorHash, limit: shownMax }
        const { data, meta } = await footfall.webhooks.deliveries(id, params, { signal })
        return { data, total: meta.total }
      },
    })),
    combine: (found) => ({
      events: found
        .flatMap(({ data }) => data?.data ?? [])
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, shownMax),
      total: found.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
      error: found.find((each) => each.error !== null)?.error ?? null,
      isPending: found.some((each) => each.isPending),
    }),
  })
  if (webhooks.data === undefined || webhooks.data.length === 0) return null
  const nameOf = (webhookId: string) => webhooks.data.find(({ id }) => id === webhookId)?.name
  return (
    <section className="stack" aria-label="Told">
      <h2>Told</h2>
      <Problem error={error} />
      {events.length === 0 && !isPending && error === null && (
        <p className="soft">No alert has told anyone about this person.</p>
      )}
      <ul className="lines">
        {events.map((event) => (
          <li key={event.id} className="spread">
            <span className="cut">
              <Badge tone={deliveryTones[event.status]}>{event.status}</Badge>{" "}
              <Link to="/webhooks/$webhookId" params={{ webhookId: event.webhookId }} search={true}>
                {nameOf(event.webhookId)}
              </Link>{" "}
              <span className="soft small">
                {event.event}
                {event.statusCode !== null && ` · HTTP ${event.statusCode}`}
              </span>
            </span>
            <span className="soft small">
              <Time at={event.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {total > events.length && (
        <p className="soft small">
          The latest {events.length} of {total}.
        </p>
      )}
    </section>
  )
}

export default Person
