// Writes the SDK's src/resources: for each noun a class with a method for each operation, and the types it uses, from the server's
// contract. With --check, fails if a file is not what it would write. What the contract can't say stands in
// sdk/nouns.ts and the SDK's src/extensions.

import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { format } from "oxfmt"
import { clientOf } from "./api-reference/clients.ts"
import { endpoints } from "./api-reference/contract.ts"
import { methodText } from "./sdk/methods.ts"
import { nouns, type Noun } from "./sdk/nouns.ts"
import { comment, FileTypes, generated } from "./sdk/types.ts"

const folder = new URL("../../sdk/src/resources/", import.meta.url)

/** The modules of what a method names without a type of the contract. */
const core: Readonly<Record<string, string>> = {
  ApiCall: "../core/api-call.ts",
  PagedList: "../core/paged-list.ts",
  path: "../core/path.ts",
  CreateOptions: "../core/request-options.ts",
  RequestOptions: "../core/request-options.ts",
  Transport: "../core/transport.ts",
}

/** Nouns that are functions too. */
const callables = new Set(
  Object.values(nouns).flatMap(({ callable, property }) =>
    callable === undefined ? [] : [property],
  ),
)

const fileText = (file: string, noun: Noun): string => {
  const types = new FileTypes(file, noun)
  const methods = endpoints
    .filter(({ operationId }) => {
      const { sdk } = clientOf(operationId)
      if (callables.has(sdk)) return sdk === noun.property
      const [, property, name = ""] = /^(.*)\.(\w+)$/.exec(sdk) ?? []
      return property === noun.property && noun.byHand?.includes(name) !== true
    })
    .map((endpoint) => methodText(endpoint, noun, types))
  const parts = Object.entries(noun.parts ?? {})
  for (const name of noun.also ?? []) types.also(name)
  const classText =
    methods.length === 0
      ? ""
      : `${comment(`\`footfall.${noun.property}\`. ${noun.credentials}`)}export class ${noun.class} {
  readonly #transport: Transport
${parts.map(([name, part]) => `${comment(part.text)}  readonly ${name}: ${part.class}\n`).join("")}
  constructor(transport: Transport) {
    this.#transport = transport
${parts.map(([name, part]) => `    this.${name} = new ${part.class}(transport)\n`).join("")}  }

${methods.join("\n")}}
`
  const body = `${classText}\n${types.declarations()}`
  for (const [name, module] of Object.entries(core))
    if (new RegExp(String.raw`\b${name}[\`<\b]|: ${name}\b`).test(body)) types.import(name, module)
  const imports = [...types.imports()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([module, names]) =>
        `import ${names.has("path") ? "" : "type "}{ ${[...names].join(", ")} } from "${module}"\n`,
    )
  const partImports = parts.map(([, part]) => `import { ${part.class} } from "./${part.file}.ts"\n`)
  return `// ${noun.about}
// ${generated} by \`npm run reference\`: edit packages/server, not this file.

${imports.join("")}${partImports.join("")}
${body}`
}

const homeless = endpoints
  .map(({ operationId }) => clientOf(operationId).sdk)
  .filter((sdk) => !Object.values(nouns).some(({ property }) => sdk.startsWith(`${property}.`)))
if (homeless.length > 0) throw new Error(`sdk/nouns.ts has no file for ${homeless.join(", ")}.`)

const formatted = async (file: `${string}.ts`, text: string): Promise<string> => {
  const { code, errors } = await format(file, text, { semi: false, printWidth: 100 })
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors)}\n${text}`)
  return code
}

const texts = Object.entries(nouns).map(
  ([name, noun]) => [`${name}.ts`, fileText(name, noun)] as const,
)
const files: ReadonlyMap<string, string> = new Map(
  await Promise.all(
    texts.map(async ([file, text]) => [file, await formatted(file, text)] as const),
  ),
)
const present = await readdir(folder)
const isStale = async (file: string): Promise<boolean> =>
  !present.includes(file) || files.get(file) !== (await readFile(new URL(file, folder), "utf8"))
const stale: Array<string> = []
for (const file of new Set([...files.keys(), ...present])) if (await isStale(file)) stale.push(file)
if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(
      `packages/sdk/src/resources differs from the contract: ${stale.join(", ")}. Run: npm run reference`,
    )
    process.exitCode = 1
  }
} else {
  for (const file of stale) {
    const text = files.get(file)
    await (text === undefined ? rm(new URL(file, folder)) : writeFile(new URL(file, folder), text))
  }
}
