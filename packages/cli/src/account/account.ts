// `footfall account`: credits, pixels and intent access of the organization.

import { define } from "../command/define.ts"
import { view } from "../output/print-result.ts"

export const accountCommand = define("account", {
  fields: "healthy,credits.used",
  examples: ["footfall account", "footfall account --json | jq .data.credits.remaining"],
  run: async ({ connect, print }) => {
    const client = await connect()
    const account = await client.account.get()
    await print(
      account,
      view(async () => (await import("./views.tsx")).AccountView, { account }),
    )
  },
})
