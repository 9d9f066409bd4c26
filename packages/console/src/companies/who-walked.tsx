// Who of a company was here on which days: its people, and anonymous visitors by country.
import { NotFoundError } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { everyDay, type FootprintDay, footprintOf } from "../footprints/days.ts"
import { PersonMark } from "../footprints/mark.tsx"
import { Walk, type WalkRow } from "../footprints/walk.tsx"
import { daysBefore } from "../frame/period.ts"
import { useScope } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { Icon } from "../ui/icon.tsx"
import { Problem } from "../ui/problem.tsx"
import { plural } from "../ui/time.tsx"

const days = 30

/** People and countries with a row. */
const peopleMax = 12
const countriesMax = 4

const countries = new Intl.DisplayNames("en", { type: "region", fallback: "code" })

const visitsText = (footprint: ReadonlyArray<FootprintDay>): string => {
  const visited = footprint.filter(({ pageviews }) => pageviews > 0)
  const keys = visited.filter(({ isKey }) => isKey).length
  return `visits on ${visited.length} of ${footprint.length} days${keys > 0 ? `, a key page on ${keys}` : ""}`
}

export const WhoWalked = ({ domain }: { readonly domain: string }) => {
  const { pixelId, today } = useScope()
  const { data, error, refetch } = useQuery({
    queryKey: ["companies", "one", domain, "activity", { pixelId }],
    queryFn: async ({ signal }) => {
      try {
        return await footfall.companies.activity(domain, { timeframe: "30d", pixelId }, { signal })
      } catch (failed) {
        if (failed instanceof NotFoundError) return null
        throw failed
      }
    },
  })
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />
  if (data === null || data === undefined) return null
  const dates = everyDay(daysBefore(today, days - 1), today)
  const people = data.people.slice(0, peopleMax)
  const others = data.people.length - people.length + data.others.people
  const rows: ReadonlyArray<WalkRow> = [
    ...people.map(({ days: active, emailHash, jobTitle, name }): WalkRow => {
      const footprint = footprintOf(dates, active)
      const shown = name ?? `Person ${emailHash.slice(0, 8)}`
      return {
        id: emailHash,
        name: (
          <>
            <PersonMark name={name ?? "·"} domain={domain} size="sm" />
            <Link
              className="person-name cut"
              to="/people/$visitorId"
              params={{ visitorId: emailHash }}
              search={true}
            >
              {shown}
            </Link>
            <span className="faint small cut">{jobTitle}</span>
          </>
        ),
        label: `${shown}: ${visitsText(footprint)}`,
        days: footprint,
      }
    }),
    ...data.anonymous.slice(0, countriesMax).map(({ country, days: active }): WalkRow => {
      const footprint = footprintOf(dates, active)
      const from = country === null ? "Anonymous" : `Anonymous, ${nameOfCountry(country)}`
      return {
        id: `anonymous ${country}`,
        name: (
          <>
            <span className="anonymous-mark">
              <Icon name="person" />
            </span>
            <span className="cut">{from}</span>
          </>
        ),
        label: `${from}: ${visitsText(footprint)}`,
        isAnonymous: true,
        days: footprint,
      }
    }),
  ]
  if (rows.length === 0) return null
  return (
    <section className="stack" aria-label="Who walked when">
      <header className="spread">
        <h2>Who walked when</h2>
        <span className="faint small">
          Filled is known, outlined is anonymous, <span className="hot-word">a heel</span> is a key
          page
        </span>
      </header>
      <Walk
        dates={dates}
        rows={rows}
        known={footprintOf(dates, [
          ...data.people.flatMap(({ days: active }) => active),
          ...data.others.days,
        ])}
        anonymous={footprintOf(
          dates,
          data.anonymous.flatMap(({ days: active }) => active),
        )}
      />
      {others > 0 && (
        <p className="soft small">{plural(others, "more person", "more people")} in these days.</p>
      )}
    </section>
  )
}

const nameOfCountry = (code: string): string => {
  try {
    return countries.of(code) ?? code
  } catch {
    return code
  }
}
