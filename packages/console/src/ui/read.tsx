// What is shown while something is read, and when it can't be.
import { NotFoundError } from "@footfall/sdk"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Problem } from "./problem.tsx"

interface ReadProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What was read before stays while it is read again, and when that fails; but not what is there no more. */
export const Read = <Data,>({ query, children }: ReadProps<Data>) => {
  const isGone = query.error instanceof NotFoundError
  if (query.data !== undefined && !isGone) return <>{children(query.data)}</>
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
