// What a person did: one entry a visit, newest first, under its day. The newest is open.
import type { SessionListMeta, SessionSummary } from "@footfall/sdk"
import { useScope } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { sourceOf } from "../ui/source.ts"
import { duration, plural, Time } from "../ui/time.tsx"
import { Trail } from "../footprints/trail.tsx"
import { VisitEvents, type VisitOwner } from "./visit-events.tsx"
import "./timeline.css"

/** Sessions shown at first. */
const pageSize = 20

export const Timeline = ({ visitorId }: { readonly visitorId: string }) => {
  const { period, pixelId } = useScope()
  const visits = usePages<SessionSummary, SessionListMeta>({
    key: ["person", visitorId, "sessions", { period, pixelId }],
    load: (cursor, signal) =>
      footfall.visitors.sessions(
        visitorId,
        { ...period, pixelId, limit: pageSize, cursor },
        { signal },
      ),
  })
  const { error, isPending, retry, rows } = visits
  if (error !== null && rows.length === 0) return <Problem error={error} onRetry={retry} />
  if (isPending) return <Waiting />
  if (rows.length === 0) return <p className="soft">No visits in this time window.</p>
  return (
    <>
      <Visits sessions={rows} owner={{ visitorId }} />
      <Rest pages={visits} verb="Show earlier visits" />
    </>
  )
}

const days = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
})

interface VisitsProps {
  /** Newest first. */
  readonly sessions: ReadonlyArray<SessionSummary>
  readonly owner: VisitOwner
}

export const Visits = ({ owner, sessions }: VisitsProps) => {
  const dayOf = ({ startTime }: SessionSummary): string => days.format(new Date(startTime))
  return (
    <ol className="timeline">
      {sessions.map((session, index) => {
        const before = sessions[index - 1]
        const day = dayOf(session)
        return (
          <li key={`${session.pixelId} ${session.sessionId}`} className="entry">
            {(before === undefined || dayOf(before) !== day) && <h3 className="day">{day}</h3>}
            <Visit session={session} owner={owner} isFirst={index === 0} />
          </li>
        )
      })}
    </ol>
  )
}

interface VisitProps {
  readonly session: SessionSummary
  readonly owner: VisitOwner
  readonly isFirst: boolean
}

const Visit = ({ isFirst, owner, session }: VisitProps) => {
  const { channel, converted, demoPageViews, pageviews, pricingPageViews } = session
  const source = sourceOf(session.utmSource, null) ?? session.utmCampaign
  return (
    <VisitEvents
      owner={owner}
      session={session}
      isOpenAtFirst={isFirst}
      head={
        <>
          <span className="when">
            <Time at={session.startTime} shape="clock" />
          </span>
          <b>{plural(pageviews, "page")}</b>
          <Trail
            pages={Array.from({ length: pageviews }, () => ({ seconds: null, isKey: false }))}
            isAnonymous={"domain" in owner && !converted}
            label=""
          />
          <span className="soft small cut">
            {[channel.replaceAll("_", " "), source, session.deviceType]
              .filter((text) => text !== null)
              .join(", ")}
          </span>
          {pricingPageViews > 0 && <span className="tag">pricing × {pricingPageViews}</span>}
          {demoPageViews > 0 && <span className="tag">demo × {demoPageViews}</span>}
          {session.isFirstSession && <span className="badge">first visit</span>}
          {converted && <span className="badge good">gave an email</span>}
          <span className="took soft">{duration(session.durationSeconds)}</span>
        </>
      }
    />
  )
}
