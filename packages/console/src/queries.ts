// Queries that several screens share.
import type { Segment } from "@footfall/sdk"
import { footfall } from "./session/session.ts"

interface Read {
  readonly signal: AbortSignal
}

/** How many segments to show as views, newest first. */
const segmentsMax = 100

export const segmentsQuery = {
  queryKey: ["segments"],
  queryFn: async ({ signal }: Read) =>
    (await footfall.segments.list({ limit: segmentsMax }, { signal })).data,
  staleTime: 60_000,
}

export const segmentsOf = (subject: Segment["subject"]) => ({
  ...segmentsQuery,
  select: (all: ReadonlyArray<Segment>) => all.filter((segment) => segment.subject === subject),
})

/** All of them: an organization has at most 100. */
export const listsQuery = {
  queryKey: ["lists"],
  queryFn: async ({ signal }: Read) => (await footfall.lists.list({ limit: 100 }, { signal })).data,
  staleTime: 60_000,
}

export const listQuery = (listId: string) => ({
  queryKey: ["lists", listId],
  queryFn: ({ signal }: Read) => footfall.lists.get(listId, { signal }),
})

export const segmentQuery = (segmentId: string) => ({
  queryKey: ["segments", segmentId],
  queryFn: ({ signal }: Read) => footfall.segments.get(segmentId, { signal }),
})

export const audiencesQuery = {
  queryKey: ["audiences"],
  queryFn: async ({ signal }: Read) =>
    (await footfall.audiences.list({ limit: 100 }, { signal })).data,
  staleTime: 30_000,
}

/** The people seen last: one page. */
export const newestPeopleQuery = {
  queryKey: ["people", "newest"],
  queryFn: async ({ signal }: Read) =>
    (await footfall.visitors.list({ timeframe: "90d" }, { signal })).data,
  staleTime: 300_000,
}

export const webhooksQuery = {
  queryKey: ["webhooks"],
  queryFn: ({ signal }: Read) => footfall.webhooks.list({ signal }),
  staleTime: 30_000,
  // A receiver that begins to fail shows without a reload.
  refetchInterval: 30_000,
}

/** The connected accounts. Viewers can't see them. */
export const accountsQuery = {
  queryKey: ["integrations", "accounts"],
  queryFn: ({ signal }: Read) => footfall.integrations.accounts({ signal }),
}

/** What each service asks for and can do. It doesn't change while the server runs. */
export const integrationsQuery = {
  queryKey: ["integrations", "services"],
  queryFn: ({ signal }: Read) => footfall.integrations.list({ signal }),
  staleTime: Number.POSITIVE_INFINITY,
}

export const accountQuery = {
  queryKey: ["account"],
  queryFn: ({ signal }: Read) => footfall.account.get({ signal }),
  staleTime: 60_000,
}
