// Files of what a run found: asked for, waited for, downloaded. Source: decisions.md 5.9.

import { atCursor } from "../core/at-cursor.ts"
import { checkBound } from "../core/bound.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { PagedList } from "../core/paged-list.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { TimeoutError } from "../errors/timeout-error.ts"
import type { Export, ExportWaitOptions, ExportWithLink } from "./export.ts"
import type { ListMeta } from "./list-meta.ts"
import type { ListPosition } from "./list-position.ts"

/** Wait before the second look; each further one is half as long again. Units: milliseconds. */
const lookBaseMs = 250
const lookMaxMs = 5_000
const waitBoundMs = { min: 1, max: 86_400_000 }
const waitDefaultMs = 30 * 60_000

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
  async wait(
    { audienceId, id, runId }: Pick<Export, "audienceId" | "id" | "runId">,
    { signal, waitMaxMs = waitDefaultMs }: ExportWaitOptions = {},
  ): Promise<ExportWithLink> {
    const untilMs = this.#transport.nowMs() + checkBound("waitMaxMs", waitMaxMs, waitBoundMs)
    for (let look = 0; ; look += 1) {
      const present = await this.get(audienceId, runId, id, { signal })
      if (present.export.status !== "processing") return present
      const leftMs = untilMs - this.#transport.nowMs()
      if (leftMs <= 0) {
        throw new TimeoutError(`the export ${id} was not made after ${waitMaxMs} ms`, waitMaxMs)
      }
      const delayMs = Math.min(lookMaxMs, lookBaseMs * 1.5 ** look, leftMs)
      await this.#transport.sleep(Math.ceil(delayMs), `the export ${id}`, signal)
    }
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
