// A backend that lists who viewed pricing pages this week. It reads the list by cursor, one page at
// a time, and prints a line per visitor. FOOTFALL_API_KEY sets the key, FOOTFALL_BASE_URL the
// server.
import { AuthenticationError, Footfall } from "@footfall/sdk"

const footfall = new Footfall()

try {
  for await (const visitor of footfall.visitors.list({ timeframe: "7d" })) {
    if (visitor.pricingPageViews === 0) continue
    const who = visitor.fullName ?? visitor.email ?? visitor.emailHash
    console.log(`${who} (${visitor.companyName ?? "unknown company"}): ${visitor.pricingPageViews}`)
  }
} catch (error) {
  if (!(error instanceof AuthenticationError)) throw error
  console.error(`The key was rejected: ${error.message} (${error.requestId})`)
  process.exitCode = 1
}
