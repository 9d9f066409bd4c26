// What visitors of a company did in one session. spec 13
// Generated from the server's contract by `npm run reference`: edit packages/server, not this file.

import type { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import type {
  SessionEventListParams,
  SessionEvent,
  SessionEventListMeta,
} from "./visitor-sessions.ts"

/** `footfall.companies.sessions`. Accepts an API key or an access token. A viewer's token can only read. */
export class CompanySessions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Returns the page views and custom events of one session of a company, oldest first, with how long each page was
   * visible. It shows every session of the company's `journey`, except those of suppressed people. A person who is
   * held back is shown as an anonymous visit. `await` it for one page; loop over it (`for await`) for every row. It
   * sends nothing before that. Errors: BadRequestError (`INVALID_CURSOR`), NotFoundError (the company has no such
   * session, or it is one of a suppressed person), UnprocessableError (`QUERY_TOO_SLOW`).
   */
  events(
    domain: string,
    sessionId: string,
    params: SessionEventListParams = {},
    options: RequestOptions = {},
  ): PagedList<SessionEvent, SessionEventListMeta> {
    return this.#transport.list(
      path`/v1/data/companies/${domain}/sessions/${sessionId}/events`,
      params,
      { credentials: "either", options },
    )
  }
}
