// Queries that the audience screens share. They poll runs and deliveries until they finish.
import type { ConnectedAccount, Delivery, Run } from "@footfall/sdk"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { footfall } from "../session/session.ts"
import { isInProgress } from "./words.ts"

/** In milliseconds. */
const pollMs = 1_500

const pollWhileActive = (item: Run | Delivery | undefined): number | false =>
  item !== undefined && isInProgress(item.status) ? pollMs : false

export const useAudience = (audienceId: string) =>
  useQuery({
    queryKey: ["audiences", audienceId],
    queryFn: ({ signal }) => footfall.audiences.get(audienceId, { signal }),
  })

/** The newest runs. */
export const useRuns = (audienceId: string, limit: number) =>
  useQuery({
    queryKey: ["audiences", audienceId, "runs", limit],
    queryFn: async ({ signal }) => {
      const { data, meta } = await footfall.runs.list(audienceId, { limit }, { signal })
      return { runs: data, total: meta.total }
    },
    refetchInterval: ({ state }) => pollWhileActive(state.data?.runs[0]),
  })

export const useRun = (audienceId: string, runId: string) =>
  useQuery({
    queryKey: ["audiences", audienceId, "run", runId],
    queryFn: ({ signal }) => footfall.runs.get(audienceId, runId, { signal }),
    refetchInterval: ({ state }) => pollWhileActive(state.data),
  })

export const useDestinations = (audienceId: string) =>
  useQuery({
    queryKey: ["audiences", audienceId, "destinations"],
    queryFn: ({ signal }) => footfall.destinations.list(audienceId, { signal }),
  })

export const useDestination = (audienceId: string, destinationId: string) =>
  useQuery({
    queryKey: ["audiences", audienceId, "destinations", destinationId],
    queryFn: ({ signal }) => footfall.destinations.get(audienceId, destinationId, { signal }),
  })

export const useDelivery = (audienceId: string, deliveryId: string) =>
  useQuery({
    queryKey: ["audiences", audienceId, "delivery", deliveryId],
    queryFn: ({ signal }) => footfall.deliveries.get(audienceId, deliveryId, { signal }),
    refetchInterval: ({ state }) => pollWhileActive(state.data),
  })

/** The newest deliveries of one destination. */
export const useDeliveries = (audienceId: string, destinationId: string, limit: number) =>
  useQuery({
    queryKey: ["audiences", audienceId, "deliveries", destinationId, limit],
    queryFn: async ({ signal }) => {
      const { data, meta } = await footfall.deliveries.list(
        audienceId,
        { destinationId, limit },
        { signal },
      )
      return { deliveries: data, total: meta.total }
    },
    refetchInterval: ({ state }) => pollWhileActive(state.data?.deliveries[0]),
  })

/** The lists of an account. */
export const listsQuery = ({ appSlug, id }: Pick<ConnectedAccount, "appSlug" | "id">) => ({
  queryKey: ["integrations", "lists", id],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    footfall.integrations.mailingLists(appSlug, id, { signal }),
})

/**
 * Reloads the audiences when a run or delivery of `ownerId` ends, because other parts of the page
 * show what it found or sent. A short one may already have ended when it first appears.
 */
export const useReloadWhenFinished = (
  ownerId: string,
  items: ReadonlyArray<Run | Delivery> | undefined,
): void => {
  const client = useQueryClient()
  const seen = useRef<{ readonly ownerId: string; readonly last: string | undefined }>(undefined)
  const isRead = items !== undefined
  const last = items?.find(({ status }) => !isInProgress(status))?.id
  useEffect(() => {
    if (!isRead) return
    const before = seen.current
    seen.current = { ownerId, last }
    if (before?.ownerId === ownerId && before.last !== last)
      void client.invalidateQueries({ queryKey: ["audiences"] })
  }, [client, isRead, last, ownerId])
}

/** The audience that a screen belongs to, for its bar. */
export const useAudienceParent = (audienceId: string) => ({
  to: `/audiences/${audienceId}`,
  name: useAudience(audienceId).data?.name ?? "The audience",
})
