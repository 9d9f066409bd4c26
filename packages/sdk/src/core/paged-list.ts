// A list that is read page by page: awaited, it is its first page; looped over, it is every item.
// It holds the request, not the response: each `await` and each loop sends a new request, and memory holds one
// page at a time. It is a thenable, not a Promise, so an async function that returns it returns the page.
import { withResponse, type WithResponse } from "./api-call.ts"
import { type LoadPage, Page, type PageMeta } from "./page.ts"

/** A paged list, as a value to await and as an async iterable over its items. */
export class PagedList<Item, Meta extends PageMeta>
  implements PromiseLike<Page<Item, Meta>>, AsyncIterable<Item>
{
  readonly #load: LoadPage<Item, Meta>

  constructor(load: LoadPage<Item, Meta>) {
    this.#load = load
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

  /** Requests the first page; returns it with the status, the headers and the request id of its response. */
  async withResponse(): Promise<WithResponse<Page<Item, Meta>>> {
    return withResponse(await Page.load(this.#load))
  }

  /**
   * Every page, each requested only when the loop gets to it.
   * Errors: those of the list. Pages already returned stay valid, and `meta.nextCursor` of the last one
   * resumes the walk.
   */
  async *pages(): AsyncGenerator<Page<Item, Meta>, void, undefined> {
    let page: Page<Item, Meta> | null = (await Page.load(this.#load)).data
    while (page !== null) {
      yield page
      page = await page.nextPage()
    }
  }

  /** Every item of every page, in the order of the list. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data
  }
}

/** Where a list can begin. */
export interface Position {
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
