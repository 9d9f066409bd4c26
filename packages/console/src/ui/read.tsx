// Shows the loading state and errors of a query.
import { NotFoundError } from "@footfall/sdk"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Problem } from "./problem.tsx"

interface ReadProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Shown if the record does not exist. */
  readonly gone?: string
  readonly children: (data: Data) => ReactNode
}

/** Earlier data stays while it reloads and if that fails, but not if the record no longer exists. */
export const Read = <Data,>({
  query,
  gone = "This no longer exists.",
  children,
}: ReadProps<Data>) => {
  const isGone = query.error instanceof NotFoundError
  if (query.data !== undefined && !isGone) return <>{children(query.data)}</>
  if (isGone) {
    return (
      <p className="gone" role="status">
        {gone}
      </p>
    )
  }
  if (query.error !== null) {
    return <Problem error={query.error} onRetry={() => void query.refetch()} />
  }
  return <Waiting />
}

export const Waiting = () => (
  <p className="waiting" role="status">
    Loading…
  </p>
)
