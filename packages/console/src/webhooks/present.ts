// The current filters of a webhook, even if no list includes them: an older segment, or a deleted site.
import type { Pixel, Segment, VisitorWebhook } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { pixelsQuery } from "../frame/scope.tsx"
import { segmentQuery, segmentsQuery } from "../queries.ts"

const noSegments: ReadonlyArray<Segment> = []
const noPixels: ReadonlyArray<Pixel> = []

/** Each `present` is the name of the current value, or null if there is none. */
export const usePresent = (webhook: VisitorWebhook | undefined) => {
  const { segmentId = null, pixelId = null } = webhook ?? {}
  const { data: segments = noSegments, isSuccess } = useQuery(segmentsQuery)
  const { data: pixels = noPixels, isSuccess: hasPixels } = useQuery(pixelsQuery)
  const listed = segments.find(({ id }) => id === segmentId)
  const other = useQuery({
    ...segmentQuery(segmentId ?? ""),
    enabled: segmentId !== null && isSuccess && listed === undefined,
  })
  const pixel = pixels.find(({ id }) => id === pixelId)
  return {
    segments,
    pixels,
    presentSegment: segmentId === null ? null : (listed?.name ?? other.data?.name ?? "A view"),
    presentSite: pixelId === null ? null : (pixel?.domain ?? (hasPixels ? "A deleted site" : "…")),
  }
}
