// The API reference as Markdown, from the OpenAPI document the server publishes: every operation with its credentials,
// parameters, body, responses and examples, and every schema they name. Nothing is added by hand.
import {
  callersOf,
  endpoints,
  type Endpoint,
  errorCodes,
  groups,
  type Schema,
  schemas,
} from "./api-reference/contract.ts"
import { snippetsOf } from "./api-reference/snippets.ts"
import {
  answerExample,
  answersOf,
  contentText,
  errorsOf,
  type Example,
  fieldsTable,
  parametersTable,
  type Table,
  typeText,
} from "./api-reference/text.ts"

export const apiReference = (): string =>
  [
    heading,
    "## Error codes\n",
    table({
      names: ["Code", "Status"],
      rows: errorCodes.map(([code, status]) => [`\`${code}\``, String(status)]),
    }),
    ...groups.flatMap(({ description, endpoints: those, name }) => [
      `## ${name}\n\n${description}\n`,
      ...those.map(operationText),
    ]),
    "## Schemas\n",
    ...schemas.map(([name, schema]) => schemaText(name, schema)),
  ].join("\n")

const heading = `# API reference

Generated from the server's OpenAPI document (\`/openapi.json\`) by \`npm run reference\`; do not edit. ${endpoints.length}
operations, ${schemas.length} schemas. Every server shows the same at \`/docs\`, with a search. Send an API key as
\`X-API-Key: sk_…\`, an access token as \`Authorization: Bearer …\`. An error has the body
\`{"error": {"code", "message", "details"}, "meta": {"timestamp", "request_id"}}\`. The examples take the address of the
server and the credentials from \`FOOTFALL_BASE_URL\`, \`FOOTFALL_API_KEY\` and \`FOOTFALL_ACCESS_TOKEN\`.
`

const operationText = (endpoint: Endpoint): string => {
  const { method, operationId, path, requestBody } = endpoint
  const { cli, curl, sdk } = snippetsOf(endpoint)
  const parameters = parametersTable(endpoint)
  return [
    `### ${method} ${path}\n`,
    `**${endpoint.summary}** (\`${operationId}\`). ${endpoint.description}\n`,
    `- Who may call it: ${callersOf(endpoint)}`,
    ...(requestBody === undefined ? [] : [`- Body: ${contentText(requestBody.content)}`]),
    `- Responses: ${answersOf(endpoint).join("; ")}`,
    `- Errors: ${errorsOf(endpoint).join(", ")}\n`,
    ...(parameters.rows.length === 0 ? [] : [table(parameters)]),
    ...folded("curl", { type: "bash", text: curl }),
    ...folded("SDK", { type: "ts", text: sdk }),
    ...folded("CLI", { type: "bash", text: cli }),
    ...folded("Response", answerExample(endpoint)),
  ].join("\n")
}

const languages: Readonly<Record<string, string>> = {
  "application/json": "json",
  bash: "bash",
  ts: "ts",
}

const folded = (title: string, example: Example | undefined): ReadonlyArray<string> =>
  example === undefined
    ? []
    : [
        `<details><summary>${title}</summary>\n\n\`\`\`${languages[example.type] ?? "text"}\n${example.text}\n\`\`\`\n\n</details>\n`,
      ]

const schemaText = (name: string, schema: Schema): string =>
  [
    `### ${name}\n`,
    ...(schema.description === undefined ? [] : [`${schema.description}\n`]),
    schema.properties === undefined ? `${typeText(schema)}\n` : table(fieldsTable(schema)),
  ].join("\n")

const table = ({ names, rows }: Table): string => {
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  return [line(names), line(names.map(() => "---")), ...rows.map(line), ""].join("\n")
}
