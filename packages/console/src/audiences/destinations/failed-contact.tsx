// A failed contact: who it is, why it failed, the receiver's response, each attempt and its payload, and a button to
// resend only this contact.
import type {
  Delivery,
  DeliveryContact,
  DeliveryFailure,
  DeliveryTry,
  FailedContact as Contact,
} from "@footfall/sdk"
import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { footfall } from "../../session/session.ts"
import { Button } from "../../ui/button.tsx"
import { Copy } from "../../ui/copy.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { deliveryErrorWords } from "../words.ts"
import { ContactName } from "./contacts.tsx"

interface FailedContactProps {
  readonly delivery: Delivery
  readonly failure: DeliveryFailure
  /** Undefined until it loads. */
  readonly contact: DeliveryContact | undefined
}

export const FailedContact = ({ contact, delivery, failure }: FailedContactProps) => {
  const { attempts, errorCode, errorMessage, hashedEmail, lastAttemptAt, statusCode } = failure
  const query = useQuery({
    queryKey: ["audiences", delivery.audienceId, "delivery", delivery.id, "failure", hashedEmail],
    queryFn: ({ signal }) =>
      footfall.deliveries.failure(delivery.audienceId, delivery.id, hashedEmail, { signal }),
  })
  const response = query.data?.tries.findLast(({ responseSnippet }) => responseSnippet !== null)
  return (
    <li className="card stack">
      <div className="spread">
        {contact === undefined ? (
          <code title={hashedEmail}>{hashedEmail.slice(0, 12)}…</code>
        ) : (
          <ContactName contact={contact} />
        )}
        <span className="soft small">
          <Time at={lastAttemptAt} />
        </span>
      </div>
      <p className="break">
        {deliveryErrorWords(errorCode)}{" "}
        {response?.responseSnippet
          ? `It answered: ${response.responseSnippet}`
          : (errorMessage ?? "")}{" "}
        <span className="soft small">
          {statusCode === null ? "no response" : `HTTP ${statusCode}`} ·{" "}
          {plural(attempts, "attempt")}
        </span>
      </p>
      <details>
        <summary className="small">Attempts and payload</summary>
        <Details query={query} />
        <p className="small">
          Hash <Copy text={hashedEmail} label="hash" shown={`${hashedEmail.slice(0, 12)}…`} />
        </p>
      </details>
      {delivery.status === "completed" && <Retry delivery={delivery} hashedEmail={hashedEmail} />}
    </li>
  )
}

interface OneContactProps {
  readonly delivery: Delivery
  readonly hashedEmail: string
}

const Details = ({ query }: { readonly query: UseQueryResult<Contact> }) => {
  return (
    <Read query={query}>
      {({ messageId, payload, tries }) => (
        <div className="stack">
          <ol className="stack" aria-label="Attempts">
            {tries.map((one, index) => (
              <Attempt key={one.at} attempt={one} number={index + 1} />
            ))}
          </ol>
          {tries.length === 0 && (
            <p className="soft small">The individual attempts are no longer available.</p>
          )}
          {messageId !== null && (
            <p className="small">
              Message <Copy text={messageId} label="message id" />
            </p>
          )}
          {payload === null ? (
            <p className="soft small">
              This contact would not be sent now, because it is suppressed or its result was
              deleted.
            </p>
          ) : (
            <>
              <p className="soft small">
                The payload as it would be sent now, from the results of the run and the current
                destination.
              </p>
              {/* Lets a keyboard scroll it. */}
              <pre className="snippet" role="region" tabIndex={0} aria-label="Payload">
                {JSON.stringify(payload, null, 2)}
              </pre>
            </>
          )}
        </div>
      )}
    </Read>
  )
}

interface AttemptProps {
  readonly attempt: DeliveryTry
  /** From 1. */
  readonly number: number
}

const Attempt = ({ attempt, number }: AttemptProps) => {
  const { at, errorCode, responseSnippet, statusCode } = attempt
  return (
    <li className="small stack">
      <span>
        <Time at={at} shape="full" /> · {statusCode === null ? "No response" : `HTTP ${statusCode}`}{" "}
        · {errorCode}
      </span>
      {responseSnippet !== null && (
        <pre
          className="snippet"
          role="region"
          tabIndex={0}
          aria-label={`Response to attempt ${number}`}
        >
          {responseSnippet}
        </pre>
      )}
    </li>
  )
}

const Retry = ({ delivery: { audienceId, id }, hashedEmail }: OneContactProps) => {
  const navigate = useNavigate()
  const retry = useWrite({
    write: async () => footfall.deliveries.retryFailure(audienceId, id, hashedEmail),
    changes: [["audiences", audienceId]],
    notice: () => ({ text: "Queued a retry of this contact" }),
    onDone: (queued) =>
      navigate({
        to: "/audiences/$audienceId/deliveries/$deliveryId",
        params: { audienceId, deliveryId: queued.id },
        search: true,
      }),
  })
  return (
    <div className="stack">
      <div>
        <Button
          kind="plain"
          isBusy={retry.isPending}
          aria-label={`Retry this contact ${hashedEmail.slice(0, 12)}`}
          onClick={() => retry.mutate()}
        >
          Retry this contact
        </Button>
      </div>
      <Problem error={retry.error} title="The contact was not retried" />
    </div>
  )
}
