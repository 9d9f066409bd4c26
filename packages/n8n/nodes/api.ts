// Requests to Footfall's API with the node's credentials. An error has the API's own sentence.
import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type JsonObject,
  NodeApiError,
} from "n8n-workflow"

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** Each part is encoded. */
  readonly path: ReadonlyArray<string>
  readonly query?: IDataObject
  readonly body?: IDataObject
  /** Of the input item, for the error. */
  readonly itemIndex?: number
}

export interface ApiAnswer<Data> {
  readonly data: Data
  readonly meta: {
    readonly nextCursor?: string | null
  }
}

/** Rows of a page, unless fewer are asked for. */
const pageRows = 100

export async function ask<Data>(context: Context, request: ApiRequest): Promise<ApiAnswer<Data>> {
  const { body, statusCode } = await send(context, request)
  if (statusCode < 400) return body as ApiAnswer<Data>
  throw refused(context, body as ErrorBody, { statusCode, itemIndex: request.itemIndex })
}

/** Undefined if it is not found. */
export async function askIfFound<Data>(
  context: Context,
  request: ApiRequest,
): Promise<ApiAnswer<Data> | undefined> {
  const { body, statusCode } = await send(context, request)
  if (statusCode === 404) return undefined
  if (statusCode < 400) return body as ApiAnswer<Data>
  throw refused(context, body as ErrorBody, { statusCode, itemIndex: request.itemIndex })
}

/** n8n would replace the API's sentence by one of its own, so it passes on every status. */
async function send(
  context: Context,
  { body, method, path, query }: ApiRequest,
): Promise<{ readonly statusCode: number; readonly body: unknown }> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>("footfallApi")
  const options: IHttpRequestOptions = {
    method,
    baseURL: baseUrl.replace(/\/+$/, ""),
    url: `/v1/${path.map(encodeURIComponent).join("/")}`,
    json: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  }
  if (query !== undefined) options.qs = known(query)
  if (body !== undefined) options.body = body
  return context.helpers.httpRequestWithAuthentication.call(context, "footfallApi", options)
}

/** Every row of a list, or the first `limit`. */
export async function askAll(
  context: Context,
  request: ApiRequest,
  limit = Number.POSITIVE_INFINITY,
): Promise<Array<IDataObject>> {
  const rows: Array<IDataObject> = []
  let cursor: string | null | undefined
  do {
    const page = Math.min(pageRows, limit - rows.length)
    const place = request.method === "GET" ? "query" : "body"
    const position = { ...request[place], limit: page, ...(cursor ? { cursor } : {}) }
    const { data, meta } = await ask<Array<IDataObject>>(context, { ...request, [place]: position })
    rows.push(...data)
    cursor = meta.nextCursor
  } while (cursor && rows.length < limit)
  return rows
}

/** Without fields that were left empty. */
const known = (fields: IDataObject): IDataObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== "" && value !== null && value !== undefined,
    ),
  )

interface ErrorBody {
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly details?: {
      readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string }>
    }
  }
}

/** n8n shows the message as the title, and the description below it. */
const refused = (
  context: Context,
  body: ErrorBody,
  {
    itemIndex,
    statusCode,
  }: { readonly statusCode: number; readonly itemIndex: number | undefined },
): NodeApiError => {
  const { code, details, message } = body.error ?? {
    code: "",
    message: `The server answered ${statusCode}, not as Footfall does. Check the credential's base URL.`,
  }
  const issues = (details?.issues ?? []).map(({ message, path }) => `${path}: ${message}`)
  return new NodeApiError(context.getNode(), body as JsonObject, {
    message,
    description: [code, ...issues].join("\n"),
    httpCode: String(statusCode),
    ...(itemIndex === undefined ? {} : { itemIndex }),
  })
}
