// What the screens of inbound sources read.
import type { Inbound, Pixel } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { pixelsQuery } from "../frame/scope.tsx"
import { footfall } from "../session/session.ts"

interface Read {
  readonly signal: AbortSignal
}

/** How often to look, while the first request is awaited and later. In milliseconds. */
export const pollMs = { waiting: 3_000, usual: 20_000 } as const

export const inboundsQuery = {
  queryKey: ["inbound"],
  queryFn: ({ signal }: Read) => footfall.inbound.list({ signal }),
}

export const inboundQuery = (id: string) => ({
  queryKey: ["inbound", id],
  queryFn: ({ signal }: Read) => footfall.inbound.get(id, { signal }),
})

const historyQuery = (id: string) => ({
  queryKey: ["inbound", id, "history"],
  queryFn: ({ signal }: Read) => footfall.inbound.history(id, { signal }),
})

/** Its first request is awaited. */
export const isWaiting = ({ lastRequestAt, status }: Inbound): boolean =>
  lastRequestAt === null && status === "active"

/** The newest requests, looked for often while the first one is awaited. */
export const useHistory = (source: Inbound) =>
  useQuery({
    ...historyQuery(source.id),
    refetchInterval: ({ state }) =>
      isWaiting(source) && (state.data?.length ?? 0) === 0 ? pollMs.waiting : pollMs.usual,
  })

/** Undefined while the sites load, null if the site was deleted. */
export const useSite = ({ pixelId }: Pick<Inbound, "pixelId">): Pixel | null | undefined => {
  const { data } = useQuery(pixelsQuery)
  return data === undefined ? undefined : (data.find(({ id }) => id === pixelId) ?? null)
}
