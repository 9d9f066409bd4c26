// The three ways to call an operation, as text to copy: curl, the SDK, the CLI. Each takes its address and its
// credentials from the same three variables of the environment. Tests run them all.
import { type Endpoint } from "./contract.ts"
import { clientOf } from "./clients.ts"
import { commandExamples } from "./commands.ts"
import { audienceId, runId } from "../../src/app/reference/sample.ts"
import { type ExampleRequest, requestOf } from "./request.ts"

export interface Snippets {
  readonly curl: string
  readonly sdk: string
  readonly cli: string
}

export const snippetsOf = (endpoint: Endpoint): Snippets => {
  const request = requestOf(endpoint)
  return {
    curl: curlOf(request),
    sdk: sdkOf(endpoint, request),
    cli: cliOf(endpoint, request),
  }
}

/** Rows are read from a file. */
const fileOf = ({ body, ids }: ExampleRequest): string =>
  `${ids["kind"]}.${body?.type === "text/csv" ? "csv" : "ndjson"}`

/** In single quotes for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const headers = {
  apiKey: ['"X-API-Key: $FOOTFALL_API_KEY"'],
  accessToken: ['"Authorization: Bearer $FOOTFALL_ACCESS_TOKEN"'],
  none: [],
} as const

const addressOf = ({ path, query }: ExampleRequest): string => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
  )
  return search.size === 0 ? path : `${path}?${search}`
}

const curlOf = (request: ExampleRequest): string => {
  const { body, credential, method } = request
  const isPlain = method === "GET" || (method === "POST" && body !== undefined)
  const data =
    body?.type === "application/json"
      ? ['-H "Content-Type: application/json"', `-d ${quoted(body.text)}`]
      : body === undefined
        ? []
        : [`-H "Content-Type: ${body.type}"`, `--data-binary @${fileOf(request)}`]
  return [
    `curl${isPlain ? "" : ` -X ${method}`} "$FOOTFALL_BASE_URL${addressOf(request)}"`,
    ...headers[credential].map((header) => `-H ${header}`),
    ...data,
  ].join(" \\\n  ")
}

const sdkOf = ({ operationId }: Endpoint, request: ExampleRequest): string => {
  const { sdk } = clientOf(operationId)
  const given = givenTo(operationId, request)
  const call = `await footfall.${sdk}(${given.map((value) => literal(value)).join(", ")})`
  const { imports = [], lines } = streams[operationId]?.(request) ?? {
    lines: [`const result = ${call}`],
  }
  return [
    ...imports,
    'import { Footfall } from "@footfall/sdk"',
    "",
    "const footfall = new Footfall()",
    ...lines,
  ].join("\n")
}

interface Program {
  readonly imports?: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

/** What sends or gives a file. */
const streams: Readonly<Record<string, (request: ExampleRequest) => Program>> = {
  "imports.run": (request) => ({
    imports: ['import { createReadStream } from "node:fs"'],
    lines: [
      `const rows = createReadStream("${fileOf(request)}")`,
      `const result = await footfall.imports.run("${request.ids["kind"]}", rows, { format: "ndjson" })`,
    ],
  }),
  "fileImports.plan": (request) => ({
    imports: ['import { createReadStream } from "node:fs"'],
    lines: [
      `const file = createReadStream("${fileOf(request)}")`,
      `const plan = await footfall.fileImports.plan("${request.ids["kind"]}", file)`,
    ],
  }),
  "fileImports.rejected": ({ ids }) => ({
    lines: [
      `const rows = await footfall.fileImports.rejected("${ids["kind"]}", "${ids["importId"]}")`,
      'await rows.toFile("rejected.csv")',
    ],
  }),
  "exports.csv": ({ ids }) => ({
    lines: [
      `const csv = await footfall.runs.exportCsv("${ids["id"]}", "${ids["runId"]}")`,
      'await csv.toFile("people.csv")',
    ],
  }),
  "exports.parquet": ({ ids }) => ({
    lines: [
      `const parquet = await footfall.runs.exportParquet("${ids["id"]}", "${ids["runId"]}")`,
      'await parquet.toFile("people.parquet")',
    ],
  }),
  "exports.ads": ({ ids }) => ({
    lines: [
      `const file = await footfall.runs.exportForAds("${ids["id"]}", "${ids["runId"]}", "meta")`,
      'await file.toFile("people-meta.csv")',
    ],
  }),
  "exportDownloads.download": ({ ids }) => ({
    lines: [
      `const audienceId = "${audienceId}"`,
      `const runId = "${runId}"`,
      `const file = await footfall.exports.get(audienceId, runId, "${ids["exportId"]}")`,
      'await footfall.exports.toFile(file, "people.csv")',
    ],
  }),
}

/** What the method is called with. */
const givenTo = (operationId: string, request: ExampleRequest): ReadonlyArray<unknown> => {
  const { alone, named, sendsNothing } = clientOf(operationId)
  const { body, ids, query } = request
  const sent = { ...(sendsNothing ? {} : (body?.value as object | undefined)), ...query }
  const rest = alone === undefined ? sent : (sent as Readonly<Record<string, unknown>>)[alone]
  const isEmpty = typeof rest === "object" && rest !== null && Object.keys(rest).length === 0
  return [
    ...(named ? [memberId(ids)] : Object.values(ids)),
    ...(isEmpty || rest === undefined ? [] : [rest]),
  ]
}

const memberId = ({ id, userId }: ExampleRequest["ids"]) => ({ organizationId: id, userId })

const widthMax = 76

/** A value as a person writes it in TypeScript: on one line where it fits. */
const literal = (value: unknown, indent = ""): string => {
  const [open, close, members] = Array.isArray(value)
    ? ["[", "]", value.map((item) => (inner: string) => literal(item, inner))]
    : typeof value === "object" && value !== null
      ? [
          "{ ",
          " }",
          Object.entries(value).map(
            ([name, item]) =>
              (inner: string) =>
                `${/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${literal(item, inner)}`,
          ),
        ]
      : ["", "", []]
  if (open === "") return JSON.stringify(value)
  const line = `${open}${members.map((member) => member(indent)).join(", ")}${close}`
  if (line.length + indent.length <= widthMax && !line.includes("\n")) return line
  const inner = `${indent}  `
  return `${open.trim()}\n${members.map((member) => `${inner}${member(inner)},\n`).join("")}${indent}${close.trim()}`
}

const examplesMax = 3

/** The examples of the command itself, else the request by hand. */
const cliOf = ({ operationId }: Endpoint, request: ExampleRequest): string => {
  const { cli } = clientOf(operationId)
  if (cli === undefined) return requestByHand(request)
  const examples = commandExamples.get(cli)
  if (examples === undefined) throw new Error(`The CLI has no command ${cli}.`)
  return examples.slice(0, examplesMax).join("\n")
}

const requestByHand = (request: ExampleRequest): string => {
  const { body, credential, method } = request
  const address = addressOf(request)
  return [
    `footfall api ${method} ${address.includes("?") ? quoted(address) : address}`,
    ...(credential === "accessToken" ? ["--signed-in"] : []),
    ...(body === undefined ? [] : [`--data ${quoted(JSON.stringify(body.value))}`]),
  ].join(" ")
}
