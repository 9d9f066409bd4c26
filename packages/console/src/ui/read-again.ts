// Reloads what a write has changed. In a long list it edits only the changed rows in place, or else
// reloads the first page. Reloading all pages would take one request each and shift rows under the
// user.
import type { InfiniteData, QueryClient, QueryKey } from "@tanstack/react-query"
import { isShort } from "./pages.ts"

/** Returns the new row, or undefined if it's gone. */
export type EditRow = (row: unknown) => unknown

interface LongPage {
  readonly data: ReadonlyArray<unknown>
  readonly meta: {
    readonly total?: number | null
    /** Row counts by `type`. */
    readonly counts?: Readonly<Record<string, number>>
  }
}

type LongList = InfiniteData<LongPage>

const longList = (data: unknown): LongList | undefined => {
  const list = data as Partial<LongList> | undefined
  return Array.isArray(list?.pages) && Array.isArray(list.pageParams) && !isShort(list as LongList)
    ? (list as LongList)
    : undefined
}

export const readAgain = async (
  client: QueryClient,
  queryKey: QueryKey,
  edit?: EditRow,
): Promise<void> => {
  const editedQueries = new Set<string>()
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const list = longList(query.state.data)
    if (list === undefined) continue
    const isEdited = edit !== undefined && query.isActive()
    client.setQueryData(query.queryKey, isEdited ? edited(list, edit) : firstPage(list))
    if (isEdited) editedQueries.add(query.queryHash)
  }
  await client.invalidateQueries({
    queryKey,
    predicate: ({ queryHash }) => !editedQueries.has(queryHash),
  })
}

const firstPage = ({ pageParams, pages }: LongList): LongList => ({
  pages: pages.slice(0, 1),
  pageParams: pageParams.slice(0, 1),
})

const edited = (list: LongList, edit: EditRow): LongList => {
  const pages = list.pages.map((page) => {
    const data = page.data.map(edit).filter((row) => row !== undefined)
    const isSame =
      data.length === page.data.length && data.every((row, at) => row === page.data[at])
    return isSame ? page : { ...page, data }
  })
  const removed = list.pages.flatMap(({ data }) => data).filter((row) => edit(row) === undefined)
  const [first] = pages
  if (removed.length === 0 || first === undefined) return { ...list, pages }
  return { ...list, pages: [{ ...first, meta: counted(first.meta, removed) }, ...pages.slice(1)] }
}

const counted = (meta: LongPage["meta"], removed: ReadonlyArray<unknown>): LongPage["meta"] => {
  const { counts, total } = meta
  const ofType = (type: string) =>
    removed.filter((row) => (row as { readonly type?: unknown }).type === type).length
  return {
    ...meta,
    ...(typeof total === "number" && { total: total - removed.length }),
    ...(counts !== undefined && {
      counts: Object.fromEntries(
        Object.entries(counts).map(([type, count]) => [type, count - ofType(type)]),
      ),
    }),
  }
}
