// Many organizations of one installation. Each has a word that is in everything it owns, so a foreign word in a
// response shows a leak.
import { Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { apiKeyDigest, makeApiKey } from "../../src/access/api-key.ts"
import type { Cluster } from "./cluster.ts"

export interface Tenant {
  readonly organizationId: string
  readonly apiKey: string
  readonly pixelId: string
  /** `canary` and twelve hexadecimal digits. */
  readonly mark: string
}

export const marks = /canary[0-9a-f]{12}/g

export const makeTenants = async (
  cluster: Pick<Cluster, "sql">,
  count: number,
): Promise<ReadonlyArray<Tenant>> => {
  const tenants: Array<Tenant> = []
  for (let place = 0; place < count; place++) {
    const key = makeApiKey()
    const apiKey = Redacted.value(key)
    const mark = `canary${randomBytes(6).toString("hex")}`
    const [organizationId, pixelId] = [randomUUID(), randomUUID()]
    await cluster.sql("insert into organization (id, name, slug) values ($1, $2, $2)", [
      organizationId,
      mark,
    ])
    await cluster.sql(
      `insert into api_key (organization_id, id, name, prefix, last4, digest)
       values ($1, $2, 'Key', $3, $4, $5)`,
      [organizationId, randomUUID(), apiKey.slice(0, 7), apiKey.slice(-4), apiKeyDigest(key)],
    )
    await cluster.sql(
      "insert into pixel (organization_id, id, domain, name) values ($1, $2, $3, $3)",
      [organizationId, pixelId, `${mark}.example`],
    )
    tenants.push({ organizationId, apiKey, pixelId, mark })
  }
  return tenants
}
