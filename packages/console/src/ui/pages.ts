// A list that is loaded page by page with cursors, in the form `List` takes.
import type { PageMeta } from "@footfall/sdk"
import { infiniteQueryOptions, useInfiniteQuery, type QueryKey } from "@tanstack/react-query"
import { useMemo } from "react"

/**
 * Only lists of up to this many pages refetch automatically. Refetching a longer one would shift
 * rows under the user and take one request per page.
 */
const freshPagesMax = 2

interface PageOf<Item, Meta> {
  readonly data: ReadonlyArray<Item>
  readonly meta: Meta
}

interface PagesOptions<Item, Meta extends PageMeta> {
  readonly key: QueryKey
  readonly load: (
    cursor: string | undefined,
    signal: AbortSignal,
  ) => PromiseLike<PageOf<Item, Meta>>
  readonly isEnabled?: boolean
}

export const usePages = <Item, Meta extends PageMeta>({
  key,
  load,
  isEnabled = true,
}: PagesOptions<Item, Meta>) => {
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: key,
      queryFn: async ({ pageParam, signal }): Promise<PageOf<Item, Meta>> => {
        const { data, meta } = await load(pageParam, signal)
        return { data, meta }
      },
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
      enabled: isEnabled,
      refetchOnWindowFocus: ({ state }) => isShort(state.data),
      refetchOnReconnect: ({ state }) => isShort(state.data),
    }),
  )
  // Rebuilding a long list on every render would be slow.
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data])
  const { data, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = query
  return {
    rows,
    /** From the first page; undefined until it loads. */
    meta: data?.pages[0]?.meta,
    error: isFetchNextPageError ? null : query.error,
    isPending: query.isPending,
    hasMore: hasNextPage,
    retry: () => void query.refetch(),
    onEnd: () => {
      if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
    },
    /** Why the next page failed. It isn't retried automatically. */
    endError: isFetchNextPageError ? query.error : null,
    retryEnd: () => void fetchNextPage(),
  }
}

/** Whether the list refetches as a whole. */
export const isShort = (data: { readonly pages: ReadonlyArray<unknown> } | undefined): boolean =>
  data === undefined || data.pages.length <= freshPagesMax
