// What erasures did. Receipts contain nothing about the people.
import type { ErasureReceipt, ListMeta } from "@footfall/sdk"
import { footfall } from "../session/session.ts"
import { Badge } from "../ui/badge.tsx"
import { usePages } from "../ui/pages.ts"
import { Problem } from "../ui/problem.tsx"
import { Waiting } from "../ui/read.tsx"
import { Rest } from "../ui/rest.tsx"
import { useTitle } from "../ui/screen.tsx"
import { Time } from "../ui/time.tsx"

const Erasures = () => {
  useTitle("Erasures · Settings")
  const receipts = usePages<ErasureReceipt, ListMeta>({
    key: ["erasures"],
    load: (cursor, signal) => footfall.erasures.list({ limit: 50, cursor }, { signal }),
  })
  return (
    <section className="stack" aria-label="Erasures">
      <p className="soft">
        What was deleted, and what destinations answered. Nothing here says who it was.
      </p>
      <Problem error={receipts.error} onRetry={receipts.retry} />
      {receipts.isPending && <Waiting />}
      {receipts.meta !== undefined && receipts.rows.length === 0 && (
        <p className="soft">No person was erased yet.</p>
      )}
      {receipts.rows.length > 0 && (
        <div className="scroll-x">
          <table className="plain-table stacking">
            <thead>
              <tr>
                <th>Erased</th>
                <th>Deleted</th>
                <th>Destinations</th>
                <th>Completed</th>
              </tr>
            </thead>
            <tbody>
              {receipts.rows.map((receipt) => (
                <ReceiptRow key={receipt.id} receipt={receipt} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Rest pages={receipts} verb="Show older erasures" />
    </section>
  )
}

const ReceiptRow = ({ receipt }: { readonly receipt: ErasureReceipt }) => (
  <tr>
    <td>
      <Time at={receipt.requestedAt} />
    </td>
    <td className="break">
      {receipt.kinds.map(({ count, kind }) => `${kind.replaceAll("_", " ")} ${count}`).join(", ")}
    </td>
    <td>
      {receipt.destinations.map(({ destinationId, name, outcome }) => (
        <div key={destinationId} className="row">
          <span className="break">{name}</span>
          <Badge tone={outcome === "failed" ? "warn" : "neutral"}>{outcome}</Badge>
        </div>
      ))}
    </td>
    <td>
      {receipt.completedAt === null ? "waits for destinations" : <Time at={receipt.completedAt} />}
    </td>
  </tr>
)

export default Erasures
