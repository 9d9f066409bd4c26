// What a team notes about a company. spec 2.24 and 5.20
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { ApiCall } from "../core/api-call.ts"
import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { CreateOptions, RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type { Deleted } from "../extensions/common.ts"
import type { NoteListParams, Note, NoteListMeta } from "./visitor-notes.ts"

/** `footfall.companies.notes`. Accepts an API key or an access token. A viewer's token can only read. */
export class CompanyNotes {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns what your team has noted about a company, newest first. `await` it for one page; loop over it (`for
   * await`) for every row. It sends nothing before that. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError
   * (the company is unknown).
   */
  list(
    domain: string,
    params: NoteListParams = {},
    options: RequestOptions = {},
  ): PagedList<Note, NoteListMeta> {
    return this.#transport.list(path`/v1/data/companies/${domain}/notes`, params, {
      credentials: "either",
      options,
    })
  }

  /**
   * Adds a note to a company. Its author is the member or the API key of the request. Errors: BadRequestError,
   * NotFoundError (the company is unknown), ConflictError (there are 200 notes already).
   */
  create(domain: string, text: string, options: CreateOptions = {}): ApiCall<Note> {
    return this.#transport.create(path`/v1/data/companies/${domain}/notes`, {
      body: { text },
      credentials: "either",
      options,
    })
  }

  /**
   * Replaces the text of a note. Its author and admins can, and an API key any note of its organization. Errors:
   * BadRequestError, PermissionError (another member wrote it, and you are not an admin), NotFoundError (the company
   * is unknown, or has no such note).
   */
  update(
    domain: string,
    noteId: string,
    text: string,
    options: RequestOptions = {},
  ): ApiCall<Note> {
    return this.#transport.patch(path`/v1/data/companies/${domain}/notes/${noteId}`, {
      body: { text },
      credentials: "either",
      options,
    })
  }

  /**
   * Deletes a note. Its author and admins can, and an API key any note of its organization. Errors: PermissionError
   * (another member wrote it, and you are not an admin), NotFoundError (the company is unknown, or has no such note).
   */
  delete(domain: string, noteId: string, options: RequestOptions = {}): ApiCall<Deleted> {
    return this.#transport.delete(path`/v1/data/companies/${domain}/notes/${noteId}`, {
      credentials: "either",
      options,
    })
  }
}
