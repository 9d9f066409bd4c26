// Walks the pages of a list up to a number of rows.

/** A page as it is printed. */
export interface ListPage<Row, Meta> {
  readonly data: ReadonlyArray<Row>
  readonly meta: Meta
}

/** The part of a list's `meta` that a cut changes. */
export interface CutMeta {
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/**
 * The pages until `rowsMax` rows are given; null is the first page only.
 * Guarantee: no page is asked for that is not needed. `meta` is the server's, except on a page that
 * is cut: there `hasMore` is true and `nextCursor` null, because the server's would skip rows.
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
