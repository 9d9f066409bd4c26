// Exports: waiting for a file and reading it. spec 4.6 and 5.9

import type { ApiCall } from "../core/api-call.ts"
import type { ByteStream } from "../core/byte-stream.ts"
import { path } from "../core/path.ts"
import type { RequestOptions } from "../core/request-options.ts"
import type { Transport } from "../core/transport.ts"
import { type WaitOptions, waitUntilFinished } from "../core/wait.ts"
import { type Export, Exports as Calls, type ExportWithLink } from "../resources/exports.ts"

/** `footfall.exports`. Accepts an API key or an access token. A viewer's token can only read. */
export class Exports extends Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /**
   * Waits until an export is completed, failed or expired; check `status`. Polls at growing intervals, up to 5 seconds
   * by default. Errors: NotFoundError, AbortedError, TimeoutError.
   */
  wait(
    { audienceId, id, runId }: Pick<Export, "audienceId" | "id" | "runId">,
    options: WaitOptions<ExportWithLink> = {},
  ): Promise<ExportWithLink> {
    return waitUntilFinished(
      this.#transport,
      {
        what: `the export ${id}`,
        poll: (signal) => this.get(audienceId, runId, id, { signal }),
        isFinished: ({ export: { status } }) => status !== "processing",
      },
      options,
    )
  }

  /**
   * Streams an export's file, as returned by `create`, `get` or `wait`. It comes from the client's own server and needs
   * no credentials. `timeoutMs` limits the wait for the first bytes, and each further wait. Errors: PermissionError
   * (`LINK_EXPIRED`); NotFoundError if the file is gone.
   */
  toStream(
    { downloadUrl, export: file }: Pick<ExportWithLink, "downloadUrl" | "export">,
    options: RequestOptions = {},
  ): ApiCall<ByteStream> {
    const link = downloadUrl === null ? undefined : new URL(downloadUrl).searchParams
    return this.#transport.stream({
      method: "GET",
      path: path`/v1/intent/exports/${file.id}/download`,
      query: {
        expires: link?.get("expires") ?? undefined,
        signature: link?.get("signature") ?? undefined,
      },
      accept: file.contentType,
      credentials: "none",
      options,
    })
  }

  /** Writes the file to disk, where it appears under its name only when it is complete. Returns its size in bytes. */
  async toFile(
    link: Pick<ExportWithLink, "downloadUrl" | "export">,
    filePath: string,
    options: RequestOptions = {},
  ): Promise<number> {
    return (await this.toStream(link, options)).toFile(filePath)
  }
}
