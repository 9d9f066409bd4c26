// Whether events arrive, and if not, what a check of the site found.
import type { PixelVerification } from "@footfall/sdk"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { footfall } from "../session/session.ts"
import { Badge } from "../ui/badge.tsx"
import { Button } from "../ui/button.tsx"
import { Problem } from "../ui/problem.tsx"
import { Time } from "../ui/time.tsx"

const reasons: Readonly<Record<NonNullable<PixelVerification["reason"]>, string>> = {
  paused: "The site is paused, so it records nothing.",
  domain_mismatch: "Events arrived, but only from another host.",
  script_missing: "The tag is not on the home page.",
  no_events: "No event has arrived yet. Open a page on the site to send one.",
}

export const Findings = ({ pixelId }: { readonly pixelId: string }) => {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["pixels", pixelId, "verify"],
    queryFn: async ({ signal }) => {
      const outcome = await footfall.pixels.verify(pixelId, { signal })
      // So that nothing else on the page says otherwise.
      if (outcome.verified) {
        void client.invalidateQueries({ queryKey: ["pixels"], exact: true })
        void client.invalidateQueries({ queryKey: ["pixels", pixelId], exact: true })
      }
      return outcome
    },
    // It fetches the site, so it only runs on request.
    enabled: false,
  })
  return (
    <section className="stack" aria-label="Check">
      <div className="spread">
        <h2>Does it work?</h2>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {isFetching ? "Checking…" : "Check the site"}
        </Button>
      </div>
      <Problem error={error} />
      <div role="status">{data !== undefined && <Outcome outcome={data} />}</div>
    </section>
  )
}

const Outcome = ({ outcome }: { readonly outcome: PixelVerification }) => {
  const { findings, lastEventAt, reason, verified } = outcome
  if (verified) {
    return (
      <p>
        <Badge tone="good">works</Badge> Last event <Time at={lastEventAt} />.
      </p>
    )
  }
  return (
    <div className="stack">
      <p>
        <Badge tone="warn">not yet</Badge> {reason !== null && (reasons[reason] ?? reason)}
      </p>
      <ul className="stack">
        {findings.map(({ code, message, severity, values }) => (
          <li key={`${code} ${values.join()}`} className="card break">
            <Badge tone={severity === "problem" ? "bad" : "neutral"}>{severity}</Badge> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
