// Iterates over the pages of a list up to a maximum number of rows.

/** A page to print. */
export interface ListPage<Row, Meta> {
  readonly data: ReadonlyArray<Row>
  readonly meta: Meta
}

/** The part of a list's `meta` that changes if rows are cut off. */
export interface CutMeta {
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/**
 * Returns pages until there are `rowsMax` rows; null returns only the first page. Guarantee: it
 * never requests a page that is not needed. `meta` is the server's, except on a truncated page:
 * there `hasMore` is true and `nextCursor` is null, because the server's cursor would skip rows.
 */
export async function* limitedPages<Row, Meta extends CutMeta>(
  pages: AsyncIterable<ListPage<Row, Meta>>,
  rowsMax: number | null,
): AsyncGenerator<ListPage<Row, Meta>, void, undefined> {
  let rowsLeft = rowsMax ?? Infinity
  for await (const { data, meta } of pages) {
    const isCut = data.length > rowsLeft
    yield isCut
      ? { data: data.slice(0, rowsLeft), meta: { ...meta, hasMore: true, nextCursor: null } }
      : { data, meta }
    rowsLeft -= data.length
    if (rowsMax === null || rowsLeft <= 0) return
  }
}
