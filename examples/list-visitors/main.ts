// A backend that asks who looked at prices this week: walks the list by cursor, one page at a time,
// and prints a line for each. The key comes from FOOTFALL_API_KEY, the address from FOOTFALL_BASE_URL.
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
  console.error(`The key was refused: ${error.message} (${error.requestId})`)
  process.exitCode = 1
}
