// Files of what a run found: asked for, waited for, downloaded. Source: spec 5.9.

import { atCursor } from "../core/at-cursor.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { waitUntilOver, type WaitOptions } from "../core/wait.ts"
import type { Export, ExportWithLink } from "./export.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"

/** `footfall.exports`. Takes an API key or an access token; a viewer's token reads only. */
export class Exports {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Asks for a file of a completed run: the one there is, the one that is being made, or a new one; so it may
   * be repeated. Errors: NotFoundError, ConflictError (`RUN_NOT_COMPLETED`).
   */
  create(audienceId: string, runId: string, options: RequestOptions = {}): Promise<ExportWithLink> {
    return this.#transport.requestData({
      method: "POST",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports`,
      isRepeatable: true,
      credentials: "either",
      options,
    })
  }

  /** Every export of a run, newest first. Errors: NotFoundError, BadRequestError (`INVALID_CURSOR`). */
  list(
    audienceId: string,
    runId: string,
    params: ListPosition = {},
    options: RequestOptions = {},
  ): PagedList<Export, ListMeta> {
    return new PagedList<Export, ListMeta>((cursor) =>
      this.#transport.request({
        method: "GET",
        path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports`,
        query: atCursor(params, cursor),
        credentials: "either",
        options,
      }),
    )
  }

  /** One export, with a link that begins now. Errors: NotFoundError. */
  get(
    audienceId: string,
    runId: string,
    exportId: string,
    options: RequestOptions = {},
  ): Promise<ExportWithLink> {
    return this.#transport.requestData({
      method: "GET",
      path: path`/v1/intent/audiences/${audienceId}/runs/${runId}/exports/${exportId}`,
      credentials: "either",
      options,
    })
  }

  /**
   * The export when it is completed, failed or expired: `status` tells which. Looks more and more rarely, at
   * least every 5 seconds. Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(
    { audienceId, id, runId }: Pick<Export, "audienceId" | "id" | "runId">,
    options: WaitOptions<ExportWithLink> = {},
  ): Promise<ExportWithLink> {
    return waitUntilOver(
      this.#transport,
      {
        what: `the export ${id}`,
        look: (signal) => this.get(audienceId, runId, id, { signal }),
        isOver: ({ export: { status } }) => status !== "processing",
      },
      options,
    )
  }

  /**
   * The file behind a link of `create`, `get` or `wait`, while it comes, from the client's own server; needs no
   * credentials. `timeoutMs` is for its beginning, and for each wait for more of it.
   * Errors: PermissionError (`LINK_EXPIRED`); NotFoundError when the file is gone.
   */
  toStream(
    { downloadUrl, export: file }: Pick<ExportWithLink, "downloadUrl" | "export">,
    options: RequestOptions = {},
  ): Promise<ByteStream> {
    const link = downloadUrl === null ? undefined : new URL(downloadUrl).searchParams
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/exports/${file.id}/download`,
      query: {
        expires: link?.get("expires") ?? undefined,
        signature: link?.get("signature") ?? undefined,
      },
      accept: "text/csv",
      credentials: "none",
      options,
    })
  }

  /** The same, written to a file, which has its name when it is whole. Gives its bytes. */
  async toFile(
    link: Pick<ExportWithLink, "downloadUrl" | "export">,
    filePath: string,
    options: RequestOptions = {},
  ): Promise<number> {
    return (await this.toStream(link, options)).toFile(filePath)
  }
}
