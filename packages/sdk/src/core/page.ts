// One page of a list, and the link to the next one. Next pages are always requested by cursor, even if the first page
// was requested by number or offset. A cursor that returns itself is an error, to avoid an endless loop.

import { ApiError } from "../errors/api-error.ts"
import type { Answer } from "./answer.ts"
import type { Answered, ApiCall } from "./api-call.ts"

/** The `meta` fields that paging needs. */
export interface PageMeta {
  readonly nextCursor: string | null
}

/** Requests the page at a cursor, or the first page without one. */
export type LoadPage<Item, Meta extends PageMeta> = (
  cursor: string | undefined,
) => ApiCall<Answer<ReadonlyArray<Item>, Meta>>

/** One page of a list: its items and its `meta`. Use `nextPage()` to get the next page. */
export class Page<Item, Meta extends PageMeta> {
  readonly data: ReadonlyArray<Item>
  readonly meta: Meta
  readonly #load: LoadPage<Item, Meta>

  private constructor(answer: Answer<ReadonlyArray<Item>, Meta>, load: LoadPage<Item, Meta>) {
    this.data = answer.data
    this.meta = answer.meta
    this.#load = load
  }

  /** @internal */
  static async load<Item, Meta extends PageMeta>(
    load: LoadPage<Item, Meta>,
    cursor?: string,
  ): Promise<Answered<Page<Item, Meta>>> {
    const { data: answer, head } = await load(cursor).answered()
    if (cursor !== undefined && answer.meta.nextCursor === cursor) {
      throw ApiError.invalidResponse(200, "the page's nextCursor is its own cursor")
    }
    return { data: new Page(answer, load), head }
  }

  /** Whether there is a next page. */
  hasNextPage(): boolean {
    return this.meta.nextCursor !== null
  }

  /** Returns the next page, or null after the last one. Errors: same as the list. */
  async nextPage(): Promise<Page<Item, Meta> | null> {
    const cursor = this.meta.nextCursor
    return cursor === null ? null : (await Page.load(this.#load, cursor)).data
  }
}
