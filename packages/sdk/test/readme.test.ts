// The README names every resource of a client, and every call of each.
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { Footfall } from "../src/index.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The calls of a resource, also those that its class inherits. */
const callsOf = (resource: object): ReadonlyArray<string> => {
  const own: object = Object.getPrototypeOf(resource)
  if (own === Object.prototype) return []
  const names = Object.getOwnPropertyNames(own).filter((each) => each !== "constructor")
  return [...names, ...callsOf(own)]
}

it.each(
  Object.entries(new Footfall({ baseUrl: "https://footfall.example.com" })).filter(
    (entry): entry is [string, object] => typeof entry[1] === "object",
  ),
)("footfall.%s", (name, resource) => {
  const row = new RegExp(`^\\| \`footfall\\.${name}\` (?:.*\\n\\|  )*.*$`, "m").exec(readme)?.[0]

  expect(callsOf(resource).filter((call) => !row?.includes(`\`${call}\``))).toEqual([])
})
