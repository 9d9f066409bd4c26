// Why a person is suppressed: what the server knows about the visitor or, without a visitor, the rules that match the
// address.

import { normalizeRule } from "@footfall/normal-form"
import { NotFoundError, type Footfall, type SuppressionRule } from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"

/** The response. */
export interface Why {
  /** Whether the server knows the person. */
  readonly known: boolean
  readonly suppressed: boolean
  readonly rules: ReadonlyArray<SuppressionRule>
}

/** The server's maximum per page (spec 1.6). */
const PAGE_SIZE = 5_000

/** `name`: the address; for a hash, the same as `id`. Errors: not found, for an unknown hash; those of the server. */
export const whySuppressed = async (
  client: Footfall,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<Why> => {
  try {
    return { known: true, ...(await client.suppression.ofVisitor(id)) }
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    if (name === id) throw unknownHash(id)
  }
  const rules = await rulesOfAddress(client, name)
  return { known: false, suppressed: rules.length > 0, rules }
}

const unknownHash = (hash: string): Error =>
  new CliError({
    code: "NOT_FOUND",
    message: `No visitor found for the hash ${hash}.`,
    exitCode: ExitCode.notFound,
    nextStep: "Use the email address itself to check the rules.",
  })

/** The existing rules for the address and for its domain. */
const rulesOfAddress = async (
  client: Footfall,
  address: string,
): Promise<ReadonlyArray<SuppressionRule>> => {
  const domain = address.slice(address.lastIndexOf("@") + 1)
  const found: Array<SuppressionRule> = []
  for (const [type, value] of [
    ["email", address],
    ["domain", domain],
  ] as const) {
    const rule = normalizeRule({ type, value })
    if (typeof rule === "string") continue
    // One request shows whether the rule exists. Finding it may take several if many rules contain
    // its text.
    const { duplicates } = await client.suppression.preview([rule])
    if (duplicates === 0) continue
    const pages = client.suppression.list({ type, q: rule.value, limit: PAGE_SIZE })
    for await (const each of pages) {
      if (each.value !== rule.value) continue
      found.push(each)
      break
    }
  }
  return found
}
