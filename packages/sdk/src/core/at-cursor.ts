// The next page of a list: the same request, with a cursor in place of its first position.

/** Where a list can begin. */
interface Position {
  readonly page?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

/** The question as it was asked, or the same one at a further cursor. */
export function atCursor<Question extends Position>(
  question: Question,
  cursor: string | undefined,
): Question | (Omit<Question, keyof Position> & { readonly cursor: string }) {
  if (cursor === undefined) return question
  const { page: _page, offset: _offset, cursor: _begun, ...rest } = question
  return { ...rest, cursor }
}
