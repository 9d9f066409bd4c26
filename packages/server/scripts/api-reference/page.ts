// The API reference as a page, of the same parts as the Markdown: what the server shows at `/docs`. It is one document
// of plain HTML, complete without its script, which adds the search, the tabs and the copy buttons.
import {
  callersOf,
  type Endpoint,
  endpoints,
  errorCodes,
  type Group,
  groups,
  introduction,
  nameOf,
  type Schema,
  schemas,
} from "./contract.ts"
import { escaped, html } from "./html.ts"
import { snippetsOf } from "./snippets.ts"
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
} from "./text.ts"

/** Beside the addresses of operations, which have a dot, and of schemas. */
const anchorOf = (group: string): string => group.toLowerCase().replaceAll(" ", "-")

export const apiPage = (): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>API reference · Footfall</title>
<link rel="icon" href="docs/assets/icon.svg">
<link rel="stylesheet" href="docs/assets/tokens.css">
<link rel="stylesheet" href="docs/assets/docs.css">
<script src="docs/assets/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header>
<a class="brand" href="./"><img src="docs/assets/icon.svg" alt="" width="22" height="22">Footfall</a>
<p>API reference</p>
<div class="tools"></div>
</header>
<div class="shell">
<nav aria-label="Operations">
<div class="search"></div>
<ul class="groups">
<li><a href="#start">Start here</a></li>
${groups.map(navigation).join("\n")}
<li><a href="#errors">Error codes</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
<main id="content" tabindex="-1">
<section id="start" class="opening">
<h1>API reference</h1>
${html(introduction)}
<p>The ${endpoints.length} operations below have an example each for curl, the TypeScript SDK (<code>npm install @footfall/sdk</code>) and the
command line. All three read the address of the server and your credentials from the environment:</p>
${code({ type: "bash", text: environment })}
<p>The same contract for programs: <a href="openapi.json">openapi.json</a>, or one half of it:
<a href="openapi-data.json">openapi-data.json</a>, <a href="openapi-intent.json">openapi-intent.json</a>.</p>
</section>
${groups.map(groupText).join("\n")}
<section id="errors">
<h2>Error codes</h2>
${table({
  names: ["Code", "Status"],
  rows: errorCodes.map(([name, status]) => [`\`${name}\``, String(status)]),
})}
</section>
<section id="schemas">
<h2>Schemas</h2>
${schemas
  .filter(([name]) => !shownByOperations.has(name))
  .map(
    ([name, schema]) => `<article id="${schemaAnchor(name)}">${schemaText(name, schema)}</article>`,
  )
  .join("\n")}
</section>
</main>
</div>
</body>
</html>
`

const environment = `export FOOTFALL_BASE_URL=https://footfall.example.com
export FOOTFALL_API_KEY=sk_…       # where an API key is taken
export FOOTFALL_ACCESS_TOKEN=eyJ…  # else: accessToken of auth.login`

const navigation = ({
  endpoints: those,
  name,
}: Group): string => `<li><a href="#${anchorOf(name)}">${name}</a>
<ul>
${those
  .map(
    ({ method, operationId, summary }) =>
      `<li><a href="#${operationId}"><span class="m ${method}">${method}</span> ${summary}</a></li>`,
  )
  .join("\n")}
</ul></li>`

const groupText = ({
  description,
  endpoints: those,
  name,
}: Group): string => `<section id="${anchorOf(name)}">
<h2>${name}</h2>
${html(description)}
${those.map(operationText).join("\n")}
</section>`

const operationText = (endpoint: Endpoint): string => {
  const { description, method, operationId, path, requestBody, summary } = endpoint
  const { cli, curl, sdk } = snippetsOf(endpoint)
  const response = answerExample(endpoint)
  const own = bodyOf(endpoint)
  return `<article class="operation" id="${operationId}">
<div class="words">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="address"><span class="m ${method}">${method}</span> <code>${escaped(path).replaceAll("/", "/<wbr>")}</code></p>
${html(description)}
<dl>
<dt>Who may call it</dt><dd>${html(capital(callersOf(endpoint)), "inline")}</dd>
${requestBody === undefined ? "" : `<dt>Body</dt><dd>${html(contentText(requestBody.content), "inline")}</dd>`}
<dt>Responses</dt><dd>${html(answersOf(endpoint).join("; "), "inline")}</dd>
<dt>Errors</dt><dd>${html(errorsOf(endpoint).join(", "), "inline")}</dd>
</dl>
${table(parametersTable(endpoint))}
${own === undefined ? "" : `<div class="body" id="${schemaAnchor(own)}">${schemaText(own, schemaOf(own))}</div>`}
</div>
<div class="examples">
<div class="clients">
${client("curl", { type: "bash", text: curl })}
${client("SDK", { type: "ts", text: sdk })}
${client("CLI", { type: "bash", text: cli })}
</div>
${response === undefined ? "" : `<h4>Response</h4>${code(response)}`}
</div>
</article>`
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** The script makes tabs of the three. */
const client = (name: string, example: Example): string =>
  `<section data-client="${name}"><h4>${name}</h4>${code(example)}</section>`

const code = ({ text }: Example): string => `<pre tabindex="0"><code>${escaped(text)}</code></pre>`

const byName = new Map(schemas)
const schemaOf = (name: string): Schema => byName.get(name)!
const schemaAnchor = (name: string): string => `schema-${name.toLowerCase()}`

/** The schema of a body that an operation shows itself, because it is the first to name it. */
const bodyOf = ({ operationId }: Endpoint): string | undefined =>
  [...shownByOperations].find(([, shower]) => shower === operationId)?.[0]

const shownByOperations: ReadonlyMap<string, string> = endpoints.reduce((shown, endpoint) => {
  for (const { schema } of Object.values(endpoint.requestBody?.content ?? {})) {
    const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref)
    if (name !== undefined && !shown.has(name)) shown.set(name, endpoint.operationId)
  }
  return shown
}, new Map<string, string>())

const schemaText = (name: string, schema: Schema): string => {
  const { description } = schema
  const type =
    schema.properties === undefined
      ? `<p>${html(typeText(schema), "inline")}</p>`
      : table(fieldsTable(schema))
  return `<h3>${name}</h3>${description === undefined ? "" : `<p>${html(description, "inline")}</p>`}${type}`
}

/** What it is stands below the name, so that two columns are enough on a telephone. */
const table = ({ names, rows }: Table): string => {
  if (rows.length === 0) return ""
  const last = names.includes("Meaning") ? "Meaning" : names.includes("Type") ? "Type" : names[1]!
  const cells = rows.map((row) => {
    const of = (name: string) => row[names.indexOf(name)] ?? ""
    const below = [
      ...(last === "Meaning" ? [of("Type")] : []),
      ...(of("In") === "" ? [] : [`in the ${of("In")}`]),
      ...(of("Required") === "" ? [] : ["required"]),
    ]
    const small = below.length === 0 ? "" : `<small>${html(below.join(", "), "inline")}</small>`
    return `<tr><td>${html(row[0]!, "inline")}${small}<td>${html(of(last), "inline")}`
  })
  return `<table><thead><tr><th>${names[0]}<th>${last}</thead><tbody>
${cells.join("\n")}
</tbody></table>`
}
