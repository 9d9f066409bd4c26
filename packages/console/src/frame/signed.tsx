// Everything behind the sign-in: the frame when there is a session, the sign-in when there is none, and both when it
// has just ended.
import { QueryErrorResetBoundary, useQuery } from "@tanstack/react-query"
import { Link, Navigate, type ErrorComponentProps } from "@tanstack/react-router"
import { useSyncExternalStore } from "react"
import { session } from "../session/session.ts"
import { SignInAgain, SignInPage } from "../session/sign-in.tsx"
import { meQuery, useIdentity, useSessionState } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read, Waiting } from "../ui/read.tsx"
import { connection } from "./connection.ts"
import { Frame } from "./frame.tsx"
import { pixelsQuery } from "./scope.ts"

export const Signed = () => {
  const state = useSessionState()
  // Another user or organization gets a page of its own: what was read for the one before is gone.
  useIdentity()
  // The session is looked for once, before anything else is read.
  const started = useQuery({
    queryKey: ["session"],
    queryFn: async () => {
      await session.start()
      return null
    },
    enabled: state === "starting",
    staleTime: Infinity,
  })
  const me = useQuery({ ...meQuery, enabled: state === "signedIn" })
  if (state === "signedOut") return <SignInPage />
  const error = state === "starting" ? started.error : me.error
  if (me.data === undefined) {
    if (state === "starting" && error === null) return <Connecting />
    if (error === null && state !== "expired") return <Waiting />
    const retry = state === "starting" ? started.refetch : me.refetch
    return (
      <main className="sign-in">
        {state === "expired" ? (
          <SignInAgain />
        ) : (
          <Problem error={error} title="The console can't start" onRetry={() => void retry()} />
        )}
      </main>
    )
  }
  return (
    <>
      {/* Another organization shows nothing of the one before. */}
      <Frame key={me.data.organization.id} />
      {state === "expired" && <SignInAgain />}
    </>
  )
}

/** The session is looked for, which waits when this browser asked too often. */
const Connecting = () => {
  const connected = useSyncExternalStore(connection.subscribe, connection.state)
  return (
    <p className="waiting" role="status">
      Connecting…
      {connected.is === "limited" && (
        <> Too many requests. Trying again in {connected.seconds} seconds.</>
      )}
    </p>
  )
}

/** Where a user begins: the overview, or what is to be done before there is something to see. */
export const First = () => (
  <Read query={useQuery(pixelsQuery)}>
    {(pixels) => (
      <Navigate
        to={pixels.some(({ lastEventAt }) => lastEventAt !== null) ? "/overview" : "/start"}
        search={true}
        replace
      />
    )}
  </Read>
)

export const NotFound = () => (
  <Empty title="This page does not exist" action={<Link to="/">Go to the start</Link>}>
    The address may be mistyped, or of another version of the console.
  </Empty>
)

/** A screen that failed while it was drawn, or whose part could not be loaded. */
export const Broken = ({ error, reset }: ErrorComponentProps) => (
  <QueryErrorResetBoundary>
    {({ reset: resetQueries }) => (
      <div className="empty">
        <Problem
          error={error}
          title="This screen could not be shown"
          onRetry={() => {
            resetQueries()
            reset()
          }}
        />
      </div>
    )}
  </QueryErrorResetBoundary>
)
