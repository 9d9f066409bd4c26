// Where a page of a list begins (spec 1.6): behind a key, which an index finds at once, or behind a
// number of rows, which are passed over through the index alone.

/** The sort key of a row, as the cursor carries it. */
export type ListKey = ReadonlyArray<string>

export type ListStart = { readonly after: ListKey } | { readonly offset: number }
