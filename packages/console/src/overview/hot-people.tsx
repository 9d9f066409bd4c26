// The hottest people: who they are, when they were last here, and why.
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ScoreFeet } from "../footprints/feet.tsx"
import { PersonMark } from "../footprints/mark.tsx"
import { useScope } from "../frame/scope.tsx"
import { nameOf } from "../people/name.ts"
import { footfall } from "../session/session.ts"
import { whyText } from "../ui/score.tsx"
import { count, Time } from "../ui/time.tsx"

const shownMax = 5

const freshMs = 60_000

const fields = [
  "emailHash",
  "email",
  "fullName",
  "jobTitle",
  "companyName",
  "companyDomain",
  "lastSeenAt",
  "score",
] as const

export const HottestPeople = () => {
  const { period, site, suppressed } = useScope()
  const { data } = useQuery({
    queryKey: ["people", "hottest", { period, site, suppressed }],
    queryFn: async ({ signal }) =>
      footfall.visitors.list(
        { ...period, domain: site, suppressed, sort: "score", limit: shownMax, fields },
        { signal },
      ),
    placeholderData: (before) => before,
    staleTime: freshMs,
  })
  const people = data?.data.filter(({ score }) => score !== null) ?? []
  if (people.length === 0) return null
  return (
    <section className="hot-people" aria-label="Hottest people">
      <header className="section-head">
        <h2>Hottest people</h2>
        <Link to="/people" search={(old) => ({ ...old, sort: "score" as const })}>
          All{data?.meta.total == null ? "" : ` ${count(data.meta.total)}`}
        </Link>
      </header>
      <ol>
        {people.map((person) => (
          <li key={person.emailHash} className="hot-person">
            <PersonMark name={nameOf(person)} domain={person.companyDomain} />
            <div className="what">
              <p className="first">
                <Link
                  className="person-name cut"
                  to="/people/$visitorId"
                  params={{ visitorId: person.emailHash }}
                  search={{ wide: true }}
                >
                  {nameOf(person)}
                </Link>
                <span className="faint when">
                  <Time at={person.lastSeenAt} />
                </span>
              </p>
              <p className="soft small cut">
                {[person.jobTitle, person.companyName ?? person.companyDomain]
                  .filter((text) => text !== null)
                  .join(", ")}
              </p>
              {person.score?.top && <p className="small cut">{whyText(person.score.top)}</p>}
            </div>
            <ScoreFeet score={person.score} />
          </li>
        ))}
      </ol>
    </section>
  )
}
