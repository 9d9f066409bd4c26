// Sends one sample request and shows the receiver's answer. For a mailing list it checks the account and the list.
import type { Destination } from "@footfall/sdk"
import { footfall } from "../../session/session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { useWrite } from "../../ui/use-write.ts"
import { deliveryErrorWords } from "../words.ts"

export const DestinationTest = ({ destination }: { readonly destination: Destination }) => {
  const { audienceId, destinationType, id } = destination
  const test = useWrite({ write: () => footfall.destinations.test(audienceId, id) })
  const { data } = test
  const isWebhook = destinationType === "webhook"
  return (
    <section className="stack" aria-label="Test">
      <div className="spread">
        <h2>Test</h2>
        <Button isBusy={test.isPending} onClick={() => test.mutate()}>
          {isWebhook ? "Send a sample request" : "Check account and list"}
        </Button>
      </div>
      <Problem error={test.error} />
      <div role="status">
        {data !== undefined && (
          <p className="break">
            <Badge tone={data.ok ? "good" : "bad"}>{data.ok ? "works" : "failed"}</Badge>{" "}
            {data.statusCode !== null && `The receiver answered HTTP ${data.statusCode} `}
            {data.statusCode === null ? "After" : "after"} {data.latencyMs} ms.{" "}
            {data.error !== null && deliveryErrorWords(data.error)}
          </p>
        )}
      </div>
    </section>
  )
}
