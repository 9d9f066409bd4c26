// The hottest accounts: why, and what their last 30 days look like; and the sentence about them that opens the screen.
import {
  type Company,
  type CompanyActivity,
  type ExplainedScore,
  NotFoundError,
} from "@footfall/sdk"
import { useQueries, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { everyDay, footprintOf } from "../footprints/days.ts"
import { ScoreFeet } from "../footprints/feet.tsx"
import { CompanyMark, PersonMark } from "../footprints/mark.tsx"
import { Tread } from "../footprints/tread.tsx"
import { daysBefore } from "../frame/period.ts"
import { useScope } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { whyText } from "../ui/score.tsx"
import { count, plural, Time } from "../ui/time.tsx"
import { leadOf } from "./lead.ts"

const shownMax = 5

const treadDays = 30

const fields = [
  "domain",
  "name",
  "industry",
  "city",
  "country",
  "lastSeenAt",
  "sessions",
  "anonymousSessions",
  "peopleCount",
  "score",
  "suppressed",
] as const

type Account = Pick<Company, (typeof fields)[number]>

interface Known {
  readonly score: ExplainedScore | null
  readonly activity: CompanyActivity | null
}

/** Null for a record that is gone or has none. */
const orNull = async <Value,>(asked: PromiseLike<Value>): Promise<Value | null> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** How long an account's days and score count as fresh. */
const freshMs = 120_000

export const useAccounts = () => {
  const { period, pixelId, site, suppressed } = useScope()
  const accounts = useQuery({
    queryKey: ["companies", "hottest", { period, site, suppressed }],
    queryFn: async ({ signal }) =>
      footfall.companies.list(
        { ...period, domain: site, suppressed, sort: "score", limit: shownMax, fields },
        { signal },
      ),
    placeholderData: (before) => before,
    staleTime: freshMs,
  })
  const rows: ReadonlyArray<Account> =
    accounts.data?.data.filter(({ score }) => score !== null) ?? []
  const known = useQueries({
    queries: rows.map(({ domain }) => ({
      queryKey: ["companies", "one", domain, "footprint", { pixelId }],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Known> => {
        const [score, activity] = await Promise.all([
          orNull(footfall.companies.score(domain, { signal })),
          orNull(footfall.companies.activity(domain, { timeframe: "30d", pixelId }, { signal })),
        ])
        return { score, activity }
      },
      staleTime: freshMs,
    })),
    combine: (found) => found.map(({ data }) => data),
  })
  return {
    isPending: accounts.isPending,
    total: accounts.data?.meta.total ?? null,
    rows: rows.map((account, index) => ({ account, known: known[index] })),
  }
}

type Accounts = ReturnType<typeof useAccounts>

export const Lead = ({ accounts: { isPending, rows } }: { readonly accounts: Accounts }) => {
  const { data: settings } = useQuery({
    queryKey: ["score"],
    queryFn: ({ signal }) => footfall.score.get({ signal }),
    staleTime: freshMs,
  })
  const isReady = !isPending && settings !== undefined && rows.every(({ known }) => known)
  const parts = isReady
    ? leadOf(
        rows.flatMap(({ account: { domain, name, score }, known }) =>
          score === null
            ? []
            : [{ domain, name: name ?? domain, score, previous: known?.score?.previous }],
        ),
        settings.threshold,
      )
    : []
  return (
    <p className="lead" aria-live="polite">
      {parts.map(({ domain, text }) =>
        domain === undefined ? (
          text
        ) : (
          <Link key={domain} to="/companies/$domain" params={{ domain }} search={{ wide: true }}>
            {text}
          </Link>
        ),
      )}
    </p>
  )
}

export const HottestAccounts = ({ accounts }: { readonly accounts: Accounts }) => {
  const { today } = useScope()
  const { rows, total } = accounts
  if (rows.length === 0) return null
  const dates = everyDay(daysBefore(today, treadDays - 1), today)
  const treads = rows.map(({ known }) =>
    known?.activity ? footprintOf(dates, daysOf(known.activity)) : null,
  )
  const top = Math.max(1, ...treads.flatMap((days) => days ?? []).map(({ pageviews }) => pageviews))
  return (
    <section className="accounts" aria-label="Hottest accounts">
      <header className="section-head">
        <h2>Hottest accounts</h2>
        <span className="legend" aria-hidden="true">
          <i /> day with a visit <i className="k" /> read a key page
        </span>
        <Link to="/companies" search={(old) => ({ ...old, sort: "score" as const })}>
          All{total === null ? "" : ` ${count(total)}`}
        </Link>
      </header>
      <ol>
        {rows.map(({ account, known }, index) => (
          <Row
            key={account.domain}
            account={account}
            known={known}
            tread={
              treads[index] && (
                <Tread
                  days={treads[index]}
                  top={top}
                  label={`Visits on ${treads[index].filter(({ pageviews }) => pageviews > 0).length} of the last ${treadDays} days`}
                />
              )
            }
          />
        ))}
      </ol>
    </section>
  )
}

const daysOf = ({ anonymous, others, people }: CompanyActivity) => [
  ...people.flatMap(({ days }) => days),
  ...others.days,
  ...anonymous.flatMap(({ days }) => days),
]

interface RowProps {
  readonly account: Account
  readonly known: Known | undefined
  readonly tread: React.ReactNode
}

/** People shown by their initials. */
const crowdMax = 3

const Row = ({ account, known, tread }: RowProps) => {
  const { anonymousSessions, domain, peopleCount, score } = account
  const name = account.name ?? domain
  const about = [account.industry, account.city ?? account.country].filter((text) => text !== null)
  return (
    <li className="account">
      <div className="account-score">
        <ScoreFeet score={score} size={26} />
        <Change now={score?.total ?? 0} before={known?.score?.previous.dayAgo ?? null} />
      </div>
      <CompanyMark name={name} domain={domain} size="lg" />
      <div className="what">
        <p className="first">
          <Link
            className="person-name lead-name cut"
            to="/companies/$domain"
            params={{ domain }}
            search={{ wide: true }}
          >
            {name}
          </Link>{" "}
          <span className="faint small cut">{about.join(", ")}</span>
        </p>
        <p className="soft">
          <Why score={score} /> <span>{plural(account.sessions, "visit")}</span>
          {score?.top?.params.at === undefined && (
            <>
              , the last <Time at={account.lastSeenAt} />
            </>
          )}
          .
        </p>
      </div>
      <div className="account-tread">{tread}</div>
      <div className="crowd">
        <span className="row" aria-hidden="true">
          {known?.activity?.people.slice(0, crowdMax).map(({ emailHash, name: person }) => (
            <PersonMark key={emailHash} name={person ?? "·"} domain={domain} size="sm" />
          ))}
        </span>
        <small>{count(peopleCount)} known</small>
        <small>{count(anonymousSessions)} anonymous</small>
      </div>
    </li>
  )
}

/** The reason that adds most, as a sentence. */
const Why = ({ score }: { readonly score: Account["score"] }) => {
  const top = score?.top
  if (top === null || top === undefined) return null
  return (
    <>
      <b>{whyText(top)}</b>
      {top.params.at !== undefined && (
        <>
          {" "}
          <Time at={top.params.at} />
        </>
      )}
      .
    </>
  )
}

const Change = ({ before, now }: { readonly now: number; readonly before: number | null }) => {
  if (before === null || before === now) return null
  return (
    <small className="delta" title="since the beginning of today">
      {now > before ? "+" : "−"}
      {Math.abs(now - before)}
    </small>
  )
}
