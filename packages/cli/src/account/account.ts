// `footfall account`: credits, pixels and intent access of the organization.

import { define } from "../command/define.ts"
import { fieldsOption } from "../output/output-format.ts"
import { view } from "../output/print-result.ts"

export const accountCommand = define("account", {
  takes: (command) => command.addOption(fieldsOption()),
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
