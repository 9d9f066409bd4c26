// What was read in one visit: its pages in order with their titles and seconds, and custom events. Loaded when someone
// opens it.
import { readablePage } from "@footfall/normal-form/page"
import {
  NotFoundError,
  type SessionEvent,
  type SessionEventListMeta,
  type SessionSummary,
} from "@footfall/sdk"
import { useState } from "react"
import { footfall } from "../session/session.ts"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { duration, Time } from "../ui/time.tsx"

/** Whose page the visit is on. */
export type VisitOwner = { readonly visitorId: string } | { readonly domain: string }

interface VisitEventsProps {
  readonly owner: VisitOwner
  readonly session: Pick<SessionSummary, "sessionId" | "startTime">
}

/** A screen reader hears which visit it opens. */
export const VisitEvents = (props: VisitEventsProps) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="small">
        Show pages
        <span className="hidden">
          {" "}
          of the visit <Time at={props.session.startTime} shape="full" />
        </span>
      </summary>
      {isOpen && <Events {...props} />}
    </details>
  )
}

/** Events shown at first. */
const pageSize = 50

const Events = ({ owner, session: { sessionId } }: VisitEventsProps) => {
  const pages = usePages<SessionEvent, SessionEventListMeta>({
    key:
      "domain" in owner
        ? ["companies", "one", owner.domain, "sessions", sessionId]
        : ["person", owner.visitorId, "sessions", sessionId],
    load: (cursor, signal) => {
      const params = { limit: pageSize, cursor }
      return "domain" in owner
        ? footfall.companies.sessions.events(owner.domain, sessionId, params, { signal })
        : footfall.visitors.sessions.events(owner.visitorId, sessionId, params, { signal })
    },
  })
  const { error, isPending, retry, rows } = pages
  if (error instanceof NotFoundError) {
    return (
      <p className="soft small">
        Not shown: this visit is of someone who is suppressed, or was erased.
      </p>
    )
  }
  if (error !== null && rows.length === 0) return <Problem error={error} onRetry={retry} />
  if (isPending) return <Waiting />
  if (rows.length === 0) return <p className="soft small">No page views and no custom events.</p>
  return (
    <div className="stack">
      <ol className="visit-events" aria-label="Pages">
        {rows.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ol>
      <Rest pages={pages} verb="Show more" />
    </div>
  )
}

const Event = ({ event }: { readonly event: SessionEvent }) => {
  const { at, name, path, props, secondsVisible, title, type } = event
  return (
    <li>
      <span className="soft small">
        <Time at={at} shape="seconds" />
      </span>
      <span className="break">
        {type === "custom" ? (
          <>
            <span className="tag">{name}</span> <Props props={props ?? {}} />
          </>
        ) : (
          <>
            {title !== null && <>{title} </>}
            <code className="soft">{path === null ? "no page" : readablePage(path)}</code>
          </>
        )}
      </span>
      <span className="number small">
        {secondsVisible !== null && (
          <>
            {duration(secondsVisible)}
            <span className="hidden"> visible</span>
          </>
        )}
      </span>
    </li>
  )
}

const Props = ({ props }: { readonly props: NonNullable<SessionEvent["props"]> }) => (
  <>
    {Object.entries(props).map(([key, value]) => (
      <span key={key} className="prop small">
        <span className="soft">{key}:</span> <span>{String(value)}</span>
      </span>
    ))}
  </>
)
