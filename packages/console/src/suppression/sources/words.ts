// What a source is and how its syncs went, in words.
import type { SuppressionSource, SuppressionSourceKind } from "@footfall/sdk"
import { isolated } from "../../ui/isolated.ts"
import { count, plural } from "../../ui/time.tsx"

const services: ReadonlyMap<SuppressionSourceKind, string> = new Map([
  ["hubspot", "HubSpot"],
  ["emailoctopus", "EmailOctopus"],
  ["mailchimp", "Mailchimp"],
  ["listmonk", "listmonk"],
  ["klaviyo", "Klaviyo"],
  ["brevo", "Brevo"],
])

/** For example `Everyone on a list of HubSpot`. */
export const contentOf = ({ kind, listId, people, url }: SuppressionSource): string => {
  if (kind === "list") return "One of your lists"
  if (kind === "url") return isolated`File at ${url === null ? "" : new URL(url).host}`
  // A kind from a newer server is shown as it is.
  const service = services.get(kind) ?? kind
  const who = people === "refused" ? "Those who refused" : "Everyone"
  return listId === null ? `${who} in ${service}` : `${who} on a list of ${service}`
}

export const scheduleWords = { hourly: "every hour", daily: "every day" } as const

/** What the last sync did. */
export const syncOf = ({ lastSync }: SuppressionSource): string => {
  if (lastSync === null) return "The first sync is in progress."
  const { errorMessage, new: added, outcome, removed } = lastSync
  switch (outcome) {
    case "failed":
      return errorMessage ?? "It failed."
    case "needs_attention":
      return "It changed nothing, because it would remove many rules."
    case "unchanged":
      return "Nothing had changed."
    case "synced":
      return [
        added > 0 ? `${plural(added, "rule")} added` : null,
        removed > 0 ? `${plural(removed, "rule")} removed` : null,
      ]
        .filter((part) => part !== null)
        .join(", ")
  }
}

/** Why a sync waits for approval. */
export const attentionOf = ({
  reason,
  removals,
  present,
}: NonNullable<SuppressionSource["attention"]>): string => {
  const all = `${count(removals)} of its ${plural(present, "rule")}`
  switch (reason) {
    case "empty":
      return `The source is empty now, so the sync would remove ${all}.`
    case "no_rules":
      return `Nothing in the source is a rule now, so the sync would remove ${all}.`
    default:
      return `The sync would remove ${all}.`
  }
}
