// Waits for the first request of a source, and says what became of it.
import type { Inbound, InboundRequest } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { Problem } from "../ui/problem.tsx"
import { Time } from "../ui/time.tsx"
import { useHistory } from "./queries.ts"
import { isTaken, outcomesOf } from "./words.ts"

export const FirstRequest = ({ source }: { readonly source: Inbound }) => {
  const history = useHistory(source)
  const first = history.data?.at(-1)
  return (
    <>
      <div role="status">
        {first === undefined ? (
          <p className="waits">Waiting for the first request…</p>
        ) : (
          <Arrived request={first} />
        )}
      </div>
      {first === undefined && (
        <Problem error={history.error} onRetry={() => void history.refetch()} />
      )}
    </>
  )
}

const Arrived = ({ request }: { readonly request: InboundRequest }) => (
  <p className="break">
    <strong>The first request has arrived:</strong> {outcomesOf(request)},{" "}
    <Time at={request.receivedAt} />.{" "}
    {isTaken(request) ? (
      <Link to="/people" search={{}}>
        See the people
      </Link>
    ) : (
      "No one came in with it."
    )}
  </p>
)
