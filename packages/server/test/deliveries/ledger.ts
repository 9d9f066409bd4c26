// What a receiver got, person by person. Counters are compared with it.
import type { Received } from "../webhooks/receiver.ts"

export interface Ledger {
  /** Requests with contact events. */
  readonly posts: number
  /** People who arrived, by the hash of their address. */
  readonly people: ReadonlySet<string>
  /** People who arrived with more than one webhook-id, or ids that arrived for more than one person. */
  readonly otherIds: number
}

export const ledgerOf = (received: ReadonlyArray<Received>): Ledger => {
  const idOf = new Map<string, unknown>()
  const ids = new Set<unknown>()
  let posts = 0
  let otherIds = 0
  for (const { event, headers } of received) {
    if (event["event"] !== "intent.audience.contact.upserted") continue
    posts += 1
    const { contact } = event["data"] as { readonly contact: { readonly hashedEmail: string } }
    const id = headers["webhook-id"]
    const known = idOf.get(contact.hashedEmail)
    if (known === undefined ? ids.has(id) : known !== id) otherIds += 1
    idOf.set(contact.hashedEmail, id)
    ids.add(id)
  }
  return { posts, people: new Set(idOf.keys()), otherIds }
}
