// The contacts of a delivery that failed: why, by what answer, and after how many attempts.
import type { Delivery, DeliveryFailure, ListMeta } from "@footfall/sdk"
import { Link } from "@tanstack/react-router"
import { footfall } from "../../session/session.ts"
import { Bars } from "../../plots/bars.tsx"
import { usePages } from "../../ui/pages.ts"
import { Problem } from "../../ui/problem.tsx"
import { Waiting } from "../../ui/read.tsx"
import { Rest } from "../../ui/rest.tsx"
import { count, Time } from "../../ui/time.tsx"
import { deliveryErrorWords } from "../words.ts"

/** Contacts of a page. */
const pageSize = 50

export const Failures = ({ delivery }: { readonly delivery: Delivery }) => {
  const { audienceId, failedCount, id } = delivery
  const failures = usePages<DeliveryFailure, ListMeta>({
    // What failed meanwhile is read as it is counted.
    key: ["audiences", audienceId, "delivery", id, "failures", failedCount],
    load: (cursor, signal) =>
      footfall.deliveries.failures(audienceId, id, { limit: pageSize, cursor }, { signal }),
    isEnabled: failedCount > 0,
  })
  if (failedCount === 0) return null
  return (
    <section className="stack" aria-label="Failed contacts">
      <h2>Failed contacts</h2>
      <Problem error={failures.error} onRetry={failures.retry} />
      {failures.isPending && <Waiting />}
      {failures.rows.length > 0 && <Reasons rows={failures.rows} />}
      <ul className="stack">
        {failures.rows.map((failure) => (
          <Failure key={failure.hashedEmail} failure={failure} />
        ))}
      </ul>
      <Rest pages={failures} verb="Show more contacts" />
    </section>
  )
}

/** Of the contacts that are shown. */
const Reasons = ({ rows }: { readonly rows: ReadonlyArray<DeliveryFailure> }) => {
  const counts = new Map<string, number>()
  for (const { errorCode } of rows) counts.set(errorCode, (counts.get(errorCode) ?? 0) + 1)
  return (
    <Bars
      label="Reasons"
      unit="Contacts"
      rows={[...counts].map(([code, value]) => ({
        name: code,
        title: deliveryErrorWords(code),
        value,
      }))}
    />
  )
}

const Failure = ({ failure }: { readonly failure: DeliveryFailure }) => {
  const { attempts, errorCode, errorMessage, hashedEmail, lastAttemptAt, statusCode } = failure
  return (
    <li className="card stack">
      <div className="spread">
        <Link
          className="mono"
          to="/people/$visitorId"
          params={{ visitorId: hashedEmail }}
          search={{}}
          title={hashedEmail}
        >
          {hashedEmail.slice(0, 12)}…
        </Link>
        <span className="soft small">
          <Time at={lastAttemptAt} />
        </span>
      </div>
      <p className="break">
        {deliveryErrorWords(errorCode)} <span className="soft small">{errorCode}</span>
      </p>
      <p className="small break">
        {statusCode === null ? "No answer" : `HTTP ${statusCode}`} ·{" "}
        {attempts === 1 ? "1 attempt" : `${count(attempts)} attempts`}
        {errorMessage !== null && ` · ${errorMessage}`}
      </p>
    </li>
  )
}
