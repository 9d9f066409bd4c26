// Stored site analyses are kept for 365 days (1.8) by the worker of a real server.
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { startServer } from "../../support/server.ts"

it("a site analysis is kept for 365 days and then deleted", async () => {
  const server = await startServer({ workers: false })
  for (const [url, age] of [
    ["https://kept.example/", "364 days 23 hours"],
    ["https://gone.example/", "365 days 1 hour"],
  ]) {
    await server.sql(
      `insert into site_analysis (organization_id, id, url, keywords, topics, created_at)
       values ($1, $2, $3, '{}', '[]', now() - $4::interval)`,
      [server.organizationId, randomUUID(), url, age],
    )
  }

  const working = await startServer({ beside: server })

  await expect
    .poll(() => server.sql("select url from site_analysis"))
    .toEqual([{ url: "https://kept.example/" }])
  await working.close()
  await server.close()
})
