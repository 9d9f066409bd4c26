// What arrived in the last 7 days, what became of it, and a button to read it again.
import type { Inbound, InboundRequest } from "@footfall/sdk"
import { footfall } from "../session/session.ts"
import { useMe } from "../session/use-session.ts"
import { Button } from "../ui/button.tsx"
import { isolated } from "../ui/isolated.ts"
import { Problem } from "../ui/problem.tsx"
import { Read } from "../ui/read.tsx"
import { plural, Time } from "../ui/time.tsx"
import { useWrite } from "../ui/use-write.ts"
import { FirstRequest } from "./first-request.tsx"
import { useHistory } from "./queries.ts"
import { canRunAgain, hasDropped, outcomesOf } from "./words.ts"

export const History = ({ source }: { readonly source: Inbound }) => {
  const history = useHistory(source)
  return (
    <section className="stack" aria-label="History">
      <h2>History</h2>
      <Read query={history}>
        {(requests) =>
          requests.length === 0 ? (
            <Nothing source={source} />
          ) : (
            <Requests source={source} requests={requests} />
          )
        }
      </Read>
    </section>
  )
}

const Nothing = ({ source }: { readonly source: Inbound }) => {
  if (source.status === "paused")
    return <p className="soft">While it is paused, nothing is kept.</p>
  if (source.lastRequestAt === null) return <FirstRequest source={source} />
  return <p className="soft">Nothing has arrived in the last 7 days.</p>
}

interface RequestsProps {
  readonly source: Inbound
  readonly requests: ReadonlyArray<InboundRequest>
}

const Requests = ({ requests, source }: RequestsProps) => {
  const { canWrite } = useMe()
  return (
    <>
      <p className="soft small">
        The newest 200 requests of the last 7 days. They name no one.
        {requests.some(hasDropped) &&
          " Dropped records were of someone suppressed or erased, of an excluded page, or without consent. Nothing else of them is kept."}
      </p>
      <table className="plain-table stacking" aria-label="Requests">
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Records</th>
            <th scope="col">Outcome</th>
            {canWrite && (
              <th scope="col">
                <span className="hidden">Run again</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <td>
                <Time at={request.receivedAt} />
              </td>
              <td>{plural(request.records, "record")}</td>
              <td className="break">{outcomesOf(request)}</td>
              {canWrite && (
                <td className="number">
                  {canRunAgain(request) && <RunAgain source={source} request={request} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface RunAgainProps {
  readonly source: Inbound
  readonly request: InboundRequest
}

const RunAgain = ({ request, source }: RunAgainProps) => {
  const run = useWrite({
    write: () => footfall.inbound.runAgain(source.id, request.id),
    changes: [["inbound", source.id]],
    notice: (after) => ({ text: isolated`Ran again: ${outcomesOf(after)}` }),
  })
  return (
    <>
      <Button kind="plain" isBusy={run.isPending} onClick={() => run.mutate()}>
        Run again
      </Button>
      <Problem error={run.error} title="It was not run again" />
    </>
  )
}
