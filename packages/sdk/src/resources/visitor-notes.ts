// What a team notes about a person. spec 2.24 and 5.20
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted, ResponseMeta } from "../extensions/common.ts"

/** `footfall.visitors.notes`. Accepts an API key or an access token. A viewer's token can only read. */
export class VisitorNotes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns what your team has noted about a person, newest first. `visitorId` is the SHA-256 of any of their email
   * addresses. `await` it for one page; loop over it (`for await`) for every row. It sends nothing before that.
   * Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (the person is unknown, held back or erased).
   */
  list(
    visitorId: string,
    params: NoteListParams = {},
    options: RequestOptions = {},
  ): PagedList<Note, NoteListMeta> {
    return this.#transport.list(path`/v1/data/visitors/${visitorId}/notes`, params, {
      credentials: "either",
      options,
    })
  }

  /**
   * Adds a note to a person. Its author is the member or the API key of the request. Errors: BadRequestError,
   * NotFoundError (the person is unknown, held back or erased), ConflictError (there are 200 notes already).
   */
  create(visitorId: string, text: string, options: CreateOptions = {}): ApiCall<Note> {
    return this.#transport.create(path`/v1/data/visitors/${visitorId}/notes`, {
      body: { text },
      credentials: "either",
      options,
    })
  }

  /**
   * Replaces the text of a note. Its author and admins can, and an API key any note of its organization. Errors:
   * BadRequestError, PermissionError (another member wrote it, and you are not an admin), NotFoundError (the person
   * is unknown, held back or erased, or has no such note).
   */
  update(
    visitorId: string,
    noteId: string,
    text: string,
    options: RequestOptions = {},
  ): ApiCall<Note> {
    return this.#transport.patch(path`/v1/data/visitors/${visitorId}/notes/${noteId}`, {
      body: { text },
      credentials: "either",
      options,
    })
  }

  /**
   * Deletes a note. Its author and admins can, and an API key any note of its organization. Errors: PermissionError
   * (another member wrote it, and you are not an admin), NotFoundError (the person is unknown, held back or erased,
   * or has no such note).
   */
  delete(visitorId: string, noteId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/visitors/${visitorId}/notes/${noteId}`, {
      credentials: "either",
      options,
    })
  }
}

/** Page size and position of a list of notes. */
export interface NoteListParams {
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Page size, 1 to 100. */
  readonly limit?: number | undefined
}

/** A note about a person or a company. */
export interface Note {
  /** Id of the note. */
  readonly id: string
  /** Plain text. Lines end with a line feed. */
  readonly text: string
  /** Who wrote it. */
  readonly author: NoteAuthor
  /** When it was written. */
  readonly createdAt: string
  /** When its text was changed last; the same as `createdAt` if it never was. */
  readonly updatedAt: string
}

/** `meta` of one page of notes. */
export interface NoteListMeta extends ResponseMeta {
  /** Rows per page. */
  readonly limit: number
  /** Whether there is another page. */
  readonly hasMore: boolean
  /** The `cursor` of the next page. Valid for 24 hours. Null on the last page. */
  readonly nextCursor: string | null
}

/** The member or the API key that wrote a note. */
export interface NoteAuthor {
  /** A member, or an API key. */
  readonly kind: "member" | "key"
  /** Id of the member or the key. */
  readonly id: string
  /** The member's name, or address without one, or the key's name; null for a former member. */
  readonly name: string | null
}
