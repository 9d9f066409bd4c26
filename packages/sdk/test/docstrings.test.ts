// Every resource of a client, every call and every option has a doc comment for editors to show.
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { Footfall } from "../src/index.ts"

const source = (file: string): string =>
  readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")
const resources = ["resources", "extensions"]
  .flatMap((folder) =>
    readdirSync(new URL(`../src/${folder}`, import.meta.url)).map((file) =>
      source(`${folder}/${file}`),
    ),
  )
  .join("\n")

/** The text of an interface, or of a class with that of the generated class that it extends. */
const declared = (kind: "class" | "interface", name: string, text: string): string => {
  const all = [...text.matchAll(new RegExp(`^export ${kind} ${name}\\b[^{]*\\{(.*?)\n\\}`, "gms"))]
  return all.map(([, members]) => members).join("\n") || expect.fail(`there is no ${name}`)
}

/** The calls of a resource, also those that its class inherits. */
const callsOf = (resource: object): ReadonlyArray<string> => {
  const own: object = Object.getPrototypeOf(resource)
  if (own === Object.prototype) return []
  const names = Object.getOwnPropertyNames(own).filter((each) => each !== "constructor")
  return [...names, ...callsOf(own)]
}

/** Whether a doc comment ends right before the member. Overloads share the first one. */
const isDocumented = (text: string, member: string): boolean =>
  new RegExp(
    String.raw`\*/(?: // spec[^\n]*)?\n  (?:declare )?(?:readonly |async )?${member}\b`,
  ).test(text)

const footfall = new Footfall({ baseUrl: "https://footfall.example.com" })
const all = Object.entries(footfall).filter(
  (entry): entry is [string, object] => typeof entry[1] === "object",
)

it.each(all)("footfall.%s and each of its calls has a docstring", (name, resource) => {
  const { constructor } = resource
  const text = declared("class", constructor.name, resources)
  const calls = callsOf(resource)

  expect(calls.length + Object.keys(resource).length).toBeGreaterThan(0)
  expect(calls.filter((each) => !isDocumented(text, each))).toEqual([])
  expect(resources).toMatch(new RegExp(String.raw`\*/\nexport class ${constructor.name}\b`))
  expect(isDocumented(declared("class", "Footfall", source("client.ts")), name)).toBe(true)
})

it.each([
  ["options.ts", "FootfallOptions"],
  ["core/request-options.ts", "RequestOptions"],
])("each option in %s has a docstring", (file, name) => {
  const text = declared("interface", name, source(file))
  const options = [...text.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, option]) => option!)

  expect(options.length).toBeGreaterThan(3)
  expect(options.filter((option) => !isDocumented(text, option))).toEqual([])
})

it.each([
  ["visitors.ts", "Visitor"],
  ["visitors.ts", "VisitorWithJourney"],
  ["visitors.ts", "AddressOrigin"],
  ["visitors.ts", "ValueOrigin"],
  ["companies.ts", "Company"],
  ["visitor-sessions.ts", "SessionSummary"],
  ["visitor-sessions.ts", "SessionEvent"],
  ["visitors.ts", "Journey"],
  ["visitors.ts", "Touch"],
])("each field of what %s declares as %s has a docstring", (file, name) => {
  const [, text] =
    new RegExp(String.raw`export interface ${name}\b[^{]*\{\n(.*?)\n\}`, "s").exec(
      source(`resources/${file}`),
    ) ?? expect.fail(`there is no ${name}`)
  const fields = [...text!.matchAll(/^ {2}readonly (\w+):/gm)].map(([, field]) => field!)

  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((field) => !isDocumented(`\n${text}`, field))).toEqual([])
})

it("a class written by hand and the generated class it extends have the same docstring", () => {
  const texts = new Map<string, Set<string>>()
  for (const [, text, name] of resources.matchAll(
    /\/\*\*((?:(?!\*\/).)*)\*\/\nexport class (\w+)/gs,
  )) {
    const words = text!.replaceAll(/[\s*]+/g, " ").trim()
    texts.set(name!, (texts.get(name!) ?? new Set()).add(words))
  }

  expect(texts.size).toBeGreaterThan(20)
  expect([...texts].filter(([, each]) => each.size > 1)).toEqual([])
})
