// Lists of companies and people, for rules. spec 2.22 and 5.17
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { ListPosition, ListMeta, Deleted, ResponseMeta } from "../extensions/common.ts"

/** `footfall.lists`. Accepts an API key or an access token. A viewer's token can only read. */
export class Lists {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the organization's lists of companies and people, newest first. Errors: BadRequestError
   * (`INVALID_CURSOR`).
   */
  list(params: ListPosition = {}, options: RequestOptions = {}): PagedList<List, ListMeta> {
    return this.#transport.list("/v1/data/lists", params, { credentials: "either", options })
  }

  /**
   * Creates an empty list of companies or people. Add values, and use the list in rules: `company.list` and
   * `contact.list`. Errors: BadRequestError, ConflictError (100 lists exist).
   */
  create(params: ListCreateParams, options: CreateOptions = {}): ApiCall<List> {
    return this.#transport.create("/v1/data/lists", {
      body: params,
      credentials: "either",
      options,
    })
  }

  /** Returns one list with its size. Errors: NotFoundError. */
  get(listId: string, options: RequestOptions = {}): ApiCall<List> {
    return this.#transport.get(path`/v1/data/lists/${listId}`, { credentials: "either", options })
  }

  /** Changes the name of a list. The subject never changes. Errors: BadRequestError, NotFoundError. */
  update(listId: string, params: ListUpdateParams, options: RequestOptions = {}): ApiCall<List> {
    return this.#transport.patch(path`/v1/data/lists/${listId}`, {
      body: params,
      credentials: "either",
      options,
    })
  }

  /**
   * Permanently deletes a list and its values. A list that a segment or the score tests, a webhook uses or a
   * suppression source mirrors returns `LIST_IN_USE`, and `details` has `segmentIds`, `webhookIds`,
   * `suppressionSourceIds` and `score`. Errors: NotFoundError, ConflictError (`LIST_IN_USE`: see `segmentIds`).
   */
  delete(listId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/lists/${listId}`, {
      credentials: "either",
      options,
    })
  }

  /**
   * Returns the values of a list in their order. `q` selects those that contain a text. Errors: BadRequestError
   * (`INVALID_CURSOR`), NotFoundError.
   */
  members(
    listId: string,
    params: ListMembersParams = {},
    options: RequestOptions = {},
  ): PagedList<ListMember, ListMembersMeta> {
    return this.#transport.list(path`/v1/data/lists/${listId}/members`, params, {
      credentials: "either",
      options,
    })
  }

  /**
   * Adds values that are not in the list. A list of companies contains registrable domains: any name below one, or a
   * URL, is read as that domain. A list of people contains email addresses or their SHA-256 hashes. Errors:
   * BadRequestError, NotFoundError, ConflictError (`LIST_FULL`; the list would have more than 1,000,000 values, and
   * nothing was stored).
   */
  addMembers(listId: string, params: ListValues, options: RequestOptions = {}): ApiCall<ListWrite> {
    return this.#transport.post(path`/v1/data/lists/${listId}/members`, {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /**
   * Makes the list contain these values and no others. Errors: BadRequestError, NotFoundError, ConflictError
   * (`LIST_FULL`; the list would have more than 1,000,000 values, and nothing was stored).
   */
  replaceMembers(
    listId: string,
    params: ListValues,
    options: RequestOptions = {},
  ): ApiCall<ListWrite> {
    return this.#transport.put(path`/v1/data/lists/${listId}/members`, {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /** Removes values. Those that are not in the list are ignored. Errors: BadRequestError, NotFoundError. */
  removeMembers(
    listId: string,
    params: ListValues,
    options: RequestOptions = {},
  ): ApiCall<ListRemoval> {
    return this.#transport.delete(path`/v1/data/lists/${listId}/members`, {
      body: params,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }
}

/** A list of companies or people. */
export interface List {
  /** Id of the list. */
  readonly id: string
  /** Id of the organization. */
  readonly organizationId: string
  /** Name of the list, 1 to 160 characters. */
  readonly name: string
  /** What the list contains. */
  readonly subject: "companies" | "people"
  /** Number of values. */
  readonly size: number
  /** When the list was created. */
  readonly createdAt: string
  /** When the list or its values were last changed. */
  readonly updatedAt: string
}

/** A new list. */
export interface ListCreateParams {
  /** 1 to 160 characters. */
  readonly name: string
  /** What the list contains. It never changes. */
  readonly subject: "companies" | "people"
}

/** The new name of a list. */
export interface ListUpdateParams {
  /** 1 to 160 characters. */
  readonly name: string
}

/** Filter and position of the values of a list. */
export interface ListMembersParams {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Page size, 1 to 5000. */
  readonly limit?: number | undefined
  /** Only values that contain this text. Ignores case. */
  readonly q?: string | undefined
}

/** A value of a list. */
export interface ListMember {
  /** A registrable domain, an email address, or the SHA-256 of one. */
  readonly value: string
  /** When the value was added. */
  readonly addedAt: string
}

/** `meta` of one page of values. */
export interface ListMembersMeta extends ResponseMeta {
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** Values of a list. */
export interface ListValues {
  /**
   * Domains or email addresses, at most 25,000. Addresses may be SHA-256 hashes. The response lists invalid values.
   * The others are still used.
   */
  readonly values: ReadonlyArray<string>
}

/** What a write to a list did. */
export interface ListWrite {
  /** Values that were not in the list. */
  readonly added: number
  /** Values that were in the list, or that repeat one of the request. */
  readonly present: number
  /** Values that are in the list no longer. */
  readonly removed: number
  /** Number of invalid values. */
  readonly rejectedCount: number
  /** The first 100 invalid values. */
  readonly rejected: ReadonlyArray<RejectedListValue>
  /** Number of values in the list now. */
  readonly size: number
}

/** What a removal from a list did. */
export interface ListRemoval {
  /** Values that were removed. */
  readonly removed: number
  /** Number of values in the list now. */
  readonly size: number
}

/** An invalid value, and why. */
export interface RejectedListValue {
  /** Position in `values`. */
  readonly index: number
  /** The value, at most 512 characters; null if it is not a text. */
  readonly value: string | null
  /** Why the value is invalid. `erased`: the organization erased this person. */
  readonly reason:
    | "not_a_text"
    | "empty_value"
    | "value_too_long"
    | "invalid_email"
    | "invalid_domain"
    | "public_suffix"
    | "erased"
  /** Which invisible character was found, if that is the reason. */
  readonly message?: string
}
