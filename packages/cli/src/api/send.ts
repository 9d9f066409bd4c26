// Sends the request of `footfall api` and prints the response: the document, one row per line, or the rows of every
// page.

import { type AttemptAnswer, ApiError, type Footfall, type RawRequest } from "@footfall/sdk"
import { CliError, ExitCode } from "../errors/cli-error.ts"
import { jsonDocument, jsonLine, jsonRows } from "../output/json.ts"
import { type Terminal, withoutControls, writeOut } from "../terminal/terminal.ts"
import type { ApiOptions } from "./given.ts"

/** Errors: those of the server; `NOT_A_LIST` if `--paginate` gets no list. */
export const sendRequest = async (
  terminal: Terminal,
  client: Footfall,
  request: RawRequest,
  options: ApiOptions,
): Promise<void> => {
  const headers = Object.fromEntries(options.header ?? [])
  const isByRow = options.output === "ndjson"
  let last: AttemptAnswer | undefined
  const send = (path: string) =>
    client.request(
      { ...request, path, credentials: options.signedIn && "accessToken" },
      { hooks: { onRequest: () => headers, onResponse: (answer) => void (last = answer) } },
    )

  if (options.paginate) {
    const pages = pagesOf(request.path, send)
    return isByRow ? printRowByRow(terminal, pages) : printArray(terminal, pages)
  }
  try {
    const answer = await send(request.path)
    const { data } = answer
    await (isByRow && Array.isArray(data)
      ? writeOut(terminal, data.map(jsonLine).join(""))
      : print(terminal, isByRow ? jsonLine(data) : jsonDocument(answer)))
  } catch (error) {
    // Text, or JSON without the envelope, such as /health's.
    if (!isUnexpectedShape(error) || last === undefined) throw error
    await print(terminal, rawText(last))
  }
}

const isUnexpectedShape = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === "INVALID_RESPONSE" &&
  error.status >= 200 &&
  error.status <= 299

const rawText = ({ text }: AttemptAnswer): string => {
  try {
    return jsonDocument(JSON.parse(text))
  } catch {
    return text
  }
}

const print = async (terminal: Terminal, text: string): Promise<void> =>
  terminal.stdout.isTTY ? terminal.pager.write(withoutControls(text)) : writeOut(terminal, text)

type Rows = ReadonlyArray<object>

/** The rows of each page, following the cursor. */
async function* pagesOf(
  path: string,
  send: (path: string) => Promise<{ readonly data: unknown; readonly meta: unknown }>,
): AsyncGenerator<Rows, void, undefined> {
  const url = new URL(path, "http://footfall")
  for (let before: string | null = null; ;) {
    const { data, meta } = await send(`${url.pathname}${url.search}`)
    if (!Array.isArray(data)) throw notAList
    yield data
    const { hasMore, nextCursor } = Object(meta)
    if (hasMore !== true || typeof nextCursor !== "string" || nextCursor === before) return
    before = nextCursor
    // The cursor says where to continue, so a page number would conflict.
    for (const name of ["page", "offset"]) url.searchParams.delete(name)
    url.searchParams.set("cursor", nextCursor)
  }
}

const notAList = new CliError({
  code: "NOT_A_LIST",
  message: "--paginate works only for lists, and this response is not one.",
  exitCode: ExitCode.failed,
  nextStep: "Run the same command without --paginate.",
})

const printRowByRow = async (terminal: Terminal, pages: AsyncIterable<Rows>): Promise<void> => {
  for await (const rows of pages) await writeOut(terminal, rows.map(jsonLine).join(""))
}

/** All or nothing. Rows are kept as text, which takes a fraction of the memory. */
const printArray = async (terminal: Terminal, pages: AsyncIterable<Rows>): Promise<void> => {
  const texts: Array<string> = []
  for await (const rows of pages) if (rows.length > 0) texts.push(jsonRows(rows))
  if (texts.length === 0) return writeOut(terminal, "[]\n")
  for (const [at, text] of texts.entries()) {
    await writeOut(terminal, `${at === 0 ? "[" : ","}\n${text.replace(/^ {2}/gm, "")}`)
  }
  await writeOut(terminal, "\n]\n")
}
