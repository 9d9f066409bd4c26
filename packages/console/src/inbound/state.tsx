// The state of a source. What its site says comes first, because nothing is kept without it.
import type { Inbound } from "@footfall/sdk"
import { Badge } from "../ui/badge.tsx"
import { useSite } from "./queries.ts"

export const SourceState = ({ source }: { readonly source: Inbound }) => {
  const site = useSite(source)
  if (site === null) return <Badge tone="bad">site deleted</Badge>
  if (source.status === "paused") return <Badge>paused</Badge>
  if (site?.status === "paused") return <Badge tone="warn">site paused</Badge>
  if (source.lastRequestAt === null) return <Badge>waiting</Badge>
  return <Badge tone="good">active</Badge>
}
