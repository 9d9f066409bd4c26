// Every resource of a client, every call and every option has a doc comment for editors to show.
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { Footfall } from "../src/index.ts"

const source = (file: string): string =>
  readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8")
const resources = readdirSync(new URL("../src/resources", import.meta.url))
  .map((file) => source(`resources/${file}`))
  .join("\n")

/** The text of a class or an interface. */
const declared = (kind: "class" | "interface", name: string, text: string): string =>
  text.split(`export ${kind} ${name} {`)[1]?.split("\n}")[0] ?? expect.fail(`there is no ${name}`)

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
  const calls = Object.getOwnPropertyNames(constructor.prototype).filter(
    (each) => each !== "constructor",
  )

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
  ["sessions.ts", "SessionSummary"],
  ["sessions.ts", "Journey"],
  ["sessions.ts", "Touch"],
])("each field of what %s declares as %s has a docstring", (file, name) => {
  const [, text] =
    new RegExp(String.raw`export interface ${name}\b[^{]*\{\n(.*?)\n\}`, "s").exec(
      source(`resources/${file}`),
    ) ?? expect.fail(`there is no ${name}`)
  const fields = [...text!.matchAll(/^ {2}readonly (\w+):/gm)].map(([, field]) => field!)

  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((field) => !isDocumented(`\n${text}`, field))).toEqual([])
})
