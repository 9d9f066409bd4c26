// What a person did, grouped by session, newest first.
import { readablePage } from "@footfall/normal-form/page"
import type { SessionListMeta, SessionSummary } from "@footfall/sdk"
import { useScope } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { sourceOf } from "../ui/source.ts"
import { duration, plural, Time } from "../ui/time.tsx"
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
      <ol className="timeline">
        {rows.map((session) => (
          <Visit key={session.sessionId} session={session} owner={{ visitorId }} />
        ))}
      </ol>
      <Rest pages={visits} verb="Show earlier visits" />
    </>
  )
}

interface VisitProps {
  readonly session: SessionSummary
  readonly owner: VisitOwner
}

export const Visit = ({ owner, session }: VisitProps) => {
  const { channel, converted, demoPageViews, entryPage, exitPage, pageviews, pricingPageViews } =
    session
  const source = sourceOf(session.utmSource, null) ?? session.utmCampaign
  return (
    <li className={`visit ${converted ? "converted" : ""}`}>
      <p>
        <Time at={session.startTime} shape="full" />
      </p>
      <p className="soft small">
        {channel.replaceAll("_", " ")}
        {source !== null && ` · ${source}`} · {plural(pageviews, "page")} ·{" "}
        {duration(session.durationSeconds)} · {session.deviceType}
      </p>
      <p className="break">
        <code>{entryPage === null ? "no page" : readablePage(entryPage)}</code>
        {exitPage !== null && exitPage !== entryPage && (
          <>
            {" → "}
            <code>{readablePage(exitPage)}</code>
          </>
        )}
      </p>
      <p className="row">
        {pricingPageViews > 0 && <span className="tag">pricing × {pricingPageViews}</span>}
        {demoPageViews > 0 && <span className="tag">demo × {demoPageViews}</span>}
        {session.isFirstSession && <span className="tag">first visit</span>}
        {converted && <span className="tag">gave an email</span>}
      </p>
      <VisitEvents owner={owner} session={session} />
    </li>
  )
}
