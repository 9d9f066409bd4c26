// The public exports are exactly those in test/exports.txt, and the version is that of package.json.

import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import * as sdk from "../src/index.ts"
import { version } from "../src/version.ts"

const read = (file: string): Promise<string> => readFile(new URL(file, import.meta.url), "utf8")

it("the package exports exactly what test/exports.txt lists", async () => {
  const index = await read("../src/index.ts")
  const listed = [...index.matchAll(/^export (type )?\{([^}]+)\} from "[^"]+"$/gm)].flatMap(
    ([, type = "", list = ""]) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => `${type}${name}`),
  )
  const files = [...index.matchAll(/^export type \* from "\.(\/[^"]+)"$/gm)]
  const resources = await Promise.all(files.map(([, file]) => read(`../src${file}`)))
  const types = resources.flatMap((source) =>
    [...source.matchAll(/^export (?:interface|type|class|const|function) (\w+)/gm)].map(
      ([, name]) => `type ${name}`,
    ),
  )
  const names = [...new Set([...listed, ...types])]

  const values = names.filter((name) => !name.startsWith("type ")).toSorted()
  expect(values).toEqual(Object.keys(sdk).toSorted())
  await expect(`${names.toSorted().join("\n")}\n`).toMatchFileSnapshot("exports.txt")
})

it("the version sent to servers is that of package.json", async () => {
  expect(JSON.parse(await read("../package.json"))).toHaveProperty("version", version)
})
