// Everything behind the sign-in. With a session it shows the frame, without one the sign-in form, and both when the
// session has just expired.
import { QueryErrorResetBoundary, useQuery } from "@tanstack/react-query"
import { Link, Navigate, type ErrorComponentProps } from "@tanstack/react-router"
import { session } from "../session/session.ts"
import { SignInAgain, SignInPage } from "../session/sign-in.tsx"
import { SignPage } from "../session/sign-page.tsx"
import { meQuery, useIdentity, useSessionState } from "../session/use-session.ts"
import { Empty } from "../ui/empty.tsx"
import { Problem } from "../ui/problem.tsx"
import { Read, Waiting } from "../ui/read.tsx"
import { Frame } from "./frame.tsx"
import { pixelsQuery } from "./scope.tsx"

export const Signed = () => {
  const state = useSessionState()
  // Another user or organization gets a new page, without the data of the previous one.
  useIdentity()
  // Look for the session once, before any other request.
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
    if (error === null && state !== "expired") return <Waiting />
    const retry = state === "starting" ? started.refetch : me.refetch
    return (
      <SignPage>
        {state === "expired" ? (
          <SignInAgain />
        ) : (
          <Problem error={error} title="The console can't start" onRetry={() => void retry()} />
        )}
      </SignPage>
    )
  }
  return (
    <>
      {/* Remount for another organization, so that nothing of the previous one stays. */}
      <Frame key={me.data.organization.id} />
      {state === "expired" && <SignInAgain />}
    </>
  )
}

/** The start page: the overview, or the setup steps while there's no data. */
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
  <Empty title="This page does not exist" action={<Link to="/">Go to the first page</Link>}>
    The address may be mistyped, or from another version of the console.
  </Empty>
)

/** Shown when a screen fails to render or its code fails to load. */
export const Broken = ({ error, reset }: ErrorComponentProps) => (
  <QueryErrorResetBoundary>
    {({ reset: resetQueries }) => (
      <div className="empty">
        <Problem
          error={error}
          title="Can't show this screen"
          onRetry={() => {
            resetQueries()
            reset()
          }}
        />
      </div>
    )}
  </QueryErrorResetBoundary>
)
