// A list that is read page by page by its cursor, as `List` shows it.
import type { PageMeta } from "@footfall/sdk"
import { infiniteQueryOptions, useInfiniteQuery, type QueryKey } from "@tanstack/react-query"
import { useMemo } from "react"

/** Pages up to which a list is read again by itself: a longer one would move under the reader, a request a page. */
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
  // Rebuilding a long list at every render would be slow.
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data])
  const { data, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError } = query
  return {
    rows,
    /** Of the first page; undefined until it is there. */
    meta: data?.pages[0]?.meta,
    error: isFetchNextPageError ? null : query.error,
    isPending: query.isPending,
    hasMore: hasNextPage,
    retry: () => void query.refetch(),
    onEnd: () => {
      if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
    },
    /** Why the next page could not be read: it is not asked for again by itself. */
    endError: isFetchNextPageError ? query.error : null,
    retryEnd: () => void fetchNextPage(),
  }
}

/** Read again as a whole. */
export const isShort = (data: { readonly pages: ReadonlyArray<unknown> } | undefined): boolean =>
  data === undefined || data.pages.length <= freshPagesMax
