// Shows as one bar what happened to the contacts of a delivery. Each part is also labeled in words below it.
import type { Delivery } from "@footfall/sdk"
import { count, plural } from "../../ui/time.tsx"

export const DeliveryBar = ({ delivery }: { readonly delivery: Delivery }) => {
  const { failedCount, processedCount, sentCount, skippedCount, sourceCount } = delivery
  const total = Math.max(1, sourceCount, processedCount)
  const parts = [
    ["sent", sentCount],
    ["skipped", skippedCount],
    ["failed", failedCount],
  ] as const
  const starts = [0, sentCount, sentCount + skippedCount]
  return (
    <figure className="stack" aria-label="Contacts">
      <svg
        className="delivery-bar"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {parts.map(([name, value], index) => (
          <rect
            key={name}
            className={name}
            x={((starts[index] ?? 0) / total) * 100}
            width={(value / total) * 100}
            height="10"
          />
        ))}
      </svg>
      <figcaption className="row">
        <span>{plural(sourceCount, "contact")}:</span>
        {parts.map(([name, value]) => (
          <span key={name} className={`key ${name}`}>
            {count(value)} {name}
          </span>
        ))}
        {sourceCount > processedCount && (
          <span className="key">{count(sourceCount - processedCount)} to go</span>
        )}
      </figcaption>
      {skippedCount > 0 && (
        <p className="soft small">
          Skipped: suppressed since the run, without the address the destination needs, or with an
          address that is not known to take mail.
        </p>
      )}
    </figure>
  )
}
