// What was read in one visit: its pages in order with their titles and seconds, and custom events. Loaded when someone
// opens it.
import { readablePage } from "@footfall/normal-form/page"
import {
  NotFoundError,
  type SessionEvent,
  type SessionEventListMeta,
  type SessionSummary,
} from "@footfall/sdk"
import { type CSSProperties, type ReactNode, useState } from "react"
import { sole } from "../footprints/shapes.ts"
import { Step } from "../footprints/trail.tsx"
import { footfall } from "../session/session.ts"
import { Icon } from "../ui/icon.tsx"
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
  /** The visit in a line. */
  readonly head: ReactNode
  readonly isOpenAtFirst: boolean
}

/** A screen reader hears which visit it opens. */
export const VisitEvents = ({ head, isOpenAtFirst, owner, session }: VisitEventsProps) => {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="visit">
        <span className="node" aria-hidden="true">
          <svg viewBox="0 0 10 18" width="8" height="15">
            <path d={sole} />
          </svg>
        </span>
        {head}
        <span className="hidden">
          {" "}
          Show pages of the visit <Time at={session.startTime} shape="full" />
        </span>
      </summary>
      {isOpen && <Events owner={owner} session={session} />}
    </details>
  )
}

/** Events shown at first. */
const pageSize = 50

const Events = ({ owner, session: { sessionId } }: Pick<VisitEventsProps, "owner" | "session">) => {
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
  const longest = Math.max(1, ...rows.map(({ secondsVisible }) => secondsVisible ?? 0))
  return (
    <div className="stack">
      <ol className="visit-events" aria-label="Pages">
        {rows.map((event, index) => (
          <Event
            key={event.id}
            event={event}
            index={rows.slice(0, index).filter(({ type }) => type !== "custom").length}
            longest={longest}
          />
        ))}
      </ol>
      <Rest pages={pages} verb="Show more" />
    </div>
  )
}

interface EventProps {
  readonly event: SessionEvent
  /** Of the pages. */
  readonly index: number
  /** The most seconds on a page of the visit. */
  readonly longest: number
}

const Event = ({ event, index, longest }: EventProps) => {
  const { at, keyPage, name, path, props, secondsVisible, title, type } = event
  const isKey = keyPage !== null
  return (
    <li className={isKey ? "k" : undefined}>
      <span className="faint small">
        <Time at={at} shape="clock" />
      </span>
      {type === "custom" ? (
        <span className="node event" aria-hidden="true">
          <Icon name="bolt" />
        </span>
      ) : (
        <Step index={index} isKey={isKey} seconds={secondsVisible} />
      )}
      <span className="page">
        {type === "custom" ? (
          <>
            <code>{name}</code> <Props props={props ?? {}} />
          </>
        ) : (
          <>
            <span className="path break">{path === null ? "no page" : readablePage(path)}</span>{" "}
            {title !== null && <span className="faint small cut">{title}</span>}
            {isKey && <span className="hidden">, a key page</span>}
          </>
        )}
      </span>
      <span className="seconds">
        {secondsVisible !== null && (
          <>
            <i style={{ "--w": secondsVisible / longest } as CSSProperties} />
            <span>{duration(secondsVisible)}</span>
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
