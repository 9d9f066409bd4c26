// What an alert would have sent in the last 30 days, and what it would have held back. It updates shortly after the last
// change.
import type { VisitorWebhookPreview, VisitorWebhookPreviewParams } from "@footfall/sdk"
import { readablePage } from "@footfall/normal-form/page"
import { useQuery } from "@tanstack/react-query"
import { CompanyMark, PersonMark } from "../footprints/mark.tsx"
import { footfall } from "../session/session.ts"
import { Problem } from "../ui/problem.tsx"
import { count, duration, plural, Time } from "../ui/time.tsx"
import { useSettled } from "../ui/use-settled.ts"

export const WouldHave = ({ params }: { readonly params: VisitorWebhookPreviewParams }) => {
  // Compare as text, because the object is new on every keystroke.
  const settled = useSettled(JSON.stringify(params))
  const { data, error, isFetching } = useQuery({
    queryKey: ["webhooks", "preview", settled],
    queryFn: ({ signal }) => {
      // The text was just made from such parameters.
      const asked = JSON.parse(settled) as VisitorWebhookPreviewParams
      return footfall.webhooks.preview({ ...asked, timeframe: "30d" }, { signal })
    },
    placeholderData: (before) => before,
    staleTime: 60_000,
  })
  if (error !== null) return <Problem error={error} title="Can't try this alert" />
  return (
    <section className="would-have" aria-label="Tried" aria-busy={isFetching}>
      <h3 role="status">
        {data === undefined
          ? "Trying it on the last 30 days…"
          : `In 30 days it would have told you ${data.told === 1 ? "once" : `${count(data.told)} times`}`}
      </h3>
      {data !== undefined && (
        <>
          <HeldBack held={data.heldBack} />
          {params.again != null && <ByAgain told={data.byAgain} />}
          <ol>
            {data.samples.map((sample) => (
              <Sample key={`${sample.at} ${sample.visitor?.emailHash}`} sample={sample} />
            ))}
          </ol>
          {data.message !== null && (
            <>
              <h3>What it would say</h3>
              <pre className="message">{messageText(data.message)}</pre>
            </>
          )}
        </>
      )}
    </section>
  )
}

const HeldBack = ({ held }: { readonly held: VisitorWebhookPreview["heldBack"] }) => {
  const parts = [
    ...(held.again > 0 ? [`${plural(held.again, "visit")} of someone told before`] : []),
    ...(held.suppressed > 0 ? [`${plural(held.suppressed, "visit")} of suppressed`] : []),
  ]
  return parts.length === 0 ? null : <p className="soft small">Held back: {parts.join(", ")}.</p>
}

const again: ReadonlyArray<readonly [key: keyof VisitorWebhookPreview["byAgain"], text: string]> = [
  ["every_session", "every visit"],
  ["1h", "once an hour"],
  ["24h", "once a day"],
  ["7d", "once in 7 days"],
  ["once", "only once"],
]

const ByAgain = ({ told }: { readonly told: VisitorWebhookPreview["byAgain"] }) => (
  <dl className="by-again">
    {again.map(([key, text]) => (
      <div key={key}>
        <dt>{text}</dt>
        <dd>{count(told[key])}</dd>
      </div>
    ))}
  </dl>
)

const Sample = ({ sample }: { readonly sample: VisitorWebhookPreview["samples"][number] }) => {
  const { at, company, page, told, visitor } = sample
  const domain = company?.domain ?? null
  const companyName = company === null ? null : (company.name ?? company.domain)
  const name =
    visitor === null
      ? (companyName ?? "Anonymous")
      : (visitor.fullName ?? visitor.email ?? visitor.emailHash.slice(0, 8))
  return (
    <li>
      {visitor === null ? (
        <CompanyMark name={name} domain={domain} size="sm" />
      ) : (
        <PersonMark name={name} domain={domain} size="sm" />
      )}
      <span className="who-text">
        <span className="person-name cut">{name}</span>
        <span className="soft small cut">
          {[
            visitor === null ? null : companyName,
            page === null ? null : readablePage(page.path),
            page?.secondsVisible == null ? null : duration(page.secondsVisible),
          ]
            .filter((text) => text !== null)
            .join(", ")}
        </span>
      </span>
      <span className="faint small">
        <Time at={at} />
      </span>
      <span className={told ? "badge good" : "badge held"}>{told ? "told" : "held back"}</span>
    </li>
  )
}

/** Chat messages have their words in `text`; anything else is shown as it is. */
const messageText = (message: string): string => {
  try {
    const parsed: unknown = JSON.parse(message)
    return JSON.stringify(parsed, null, 2)
  } catch {
    return message
  }
}
