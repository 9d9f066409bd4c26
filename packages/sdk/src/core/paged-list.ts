// A list that is read page by page. `await` it for the first page; loop over it for every item. It holds the request,
// not the response: each `await` and each loop sends a new request, and only one page is in memory at a time. It is a
// thenable, not a Promise, so an async function that returns it returns the page.
import { type CallResult, type ApiCall, withResponse, type WithResponse } from "./api-call.ts"
import { Origin } from "./origin.ts"
import { ApiError } from "../errors/api-error.ts"
import type { ApiResponse } from "./response.ts"

/** A paged list: `await` it for the first page, or loop over all its items with `for await`. */
export class PagedList<Item, Meta extends PageMeta>
  implements PromiseLike<Page<Item, Meta>>, AsyncIterable<Item>
{
  readonly #load: LoadPage<Item, Meta>

  constructor(load: LoadPage<Item, Meta>) {
    const origin = new Origin(PagedList)
    this.#load = (cursor) => load(cursor).from(origin)
  }

  /** Requests the first page; `await` calls this. */
  // oxlint-disable-next-line unicorn/no-thenable -- being awaitable is what this class is for
  then<Fulfilled = Page<Item, Meta>, Rejected = never>(
    onFulfilled?: ((page: Page<Item, Meta>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return Page.load(this.#load)
      .then(({ data }) => data)
      .then(onFulfilled, onRejected)
  }

  /** Requests the first page and handles an error. */
  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Page<Item, Meta> | Rejected> {
    return this.then(undefined, onRejected)
  }

  /** Requests the first page and calls the function when it has arrived or failed. */
  finally(onFinally?: (() => void) | null): Promise<Page<Item, Meta>> {
    return this.then().finally(onFinally)
  }

  /** Requests the first page and returns it with the status, headers and request id of the response. */
  async withResponse(): Promise<WithResponse<Page<Item, Meta>>> {
    return withResponse(await Page.load(this.#load))
  }

  /**
   * Iterates over the pages. Each page is requested when the loop reaches it. Errors: same as the list. After an error,
   * the pages already returned stay valid, and you can resume from `meta.nextCursor` of the last one.
   */
  async *pages(): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    let page: Page<Item, Meta> | null = (await Page.load(this.#load)).data
    while (page !== null) {
      yield page
      page = await page.nextPage()
    }
  }

  /** Iterates over every item of every page, in list order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}

/** Where a list starts. */
export interface Position {
  readonly page?: number | undefined
  readonly offset?: number | undefined
  readonly cursor?: string | undefined
}

/** The original parameters, or the same ones from a later cursor. */
export function atCursor<Question extends Position>(
  question: Question,
  cursor: string | undefined,
): Question | (Omit<Question, keyof Position> & { readonly cursor: string }) {
  if (cursor === undefined) return question
  const { page: _page, offset: _offset, cursor: _begun, ...rest } = question
  return { ...rest, cursor }
}

// One page of a list, and the link to the next one. Next pages are always requested by cursor, even if the first page
// was requested by number or offset. A cursor that returns itself is an error, to avoid an endless loop.

/** The `meta` fields that paging needs. */
export interface PageMeta {
  readonly nextCursor: string | null
}

/** Requests the page at a cursor, or the first page without one. */
type LoadPage<Item, Meta extends PageMeta> = (
  cursor: string | undefined,
) => ApiCall<ApiResponse<ReadonlyArray<Item>, Meta>>

/** One page of a list: its items and its `meta`. Use `nextPage()` to get the next page. */
export class Page<Item, Meta extends PageMeta> {
  readonly data: ReadonlyArray<Item>
  readonly meta: Meta
  readonly #load: LoadPage<Item, Meta>

  private constructor(
    response: ApiResponse<ReadonlyArray<Item>, Meta>,
    load: LoadPage<Item, Meta>,
  ) {
    this.data = response.data
    this.meta = response.meta
    this.#load = load
  }

  /** @internal */
  static async load<Item, Meta extends PageMeta>(
    load: LoadPage<Item, Meta>,
    cursor?: string,
  ): Promise<CallResult<Page<Item, Meta>>> {
    const { data: response, head } = await load(cursor).result()
    if (cursor !== undefined && response.meta.nextCursor === cursor) {
      throw ApiError.invalidResponse(200, "the page's nextCursor is its own cursor")
    }
    return { data: new Page(response, load), head }
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
