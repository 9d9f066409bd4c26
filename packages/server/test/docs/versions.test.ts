// The menu of versions on the documentation site.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { versionMenu } from "../../../../docs/.vitepress/versions.ts"
import { repository } from "./snippets.ts"

const changelog = await readFile(join(repository, "CHANGELOG.md"), "utf8")
const { version } = JSON.parse(
  await readFile(join(repository, "packages/server/package.json"), "utf8"),
) as { readonly version: string }

it("contains the version of the site, and links to the changelog for the others", () => {
  const menu = versionMenu({ changelog, version, tags: [], source: "https://github.com/acme/f" })

  expect(menu.text).toBe(`Version ${version}`)
  expect(menu.items).toContainEqual({
    text: "Version 0.1.0",
    link: "/changelog#_0-1-0-2026-11-22",
  })
  expect(menu.items.filter(({ text }) => text === menu.text)).toEqual([])
})

it("links to the documentation at a release's tag, if the repository has it", () => {
  const tags = ["@footfall/server@0.1.0", "@footfall/sdk@0.1.0"]
  const linkIn = (source: string | undefined) =>
    versionMenu({ changelog, version: "9.0.0", tags, source }).items.find(
      ({ text }) => text === "Version 0.1.0",
    )?.link

  expect(linkIn("https://github.com/acme/f")).toBe(
    "https://github.com/acme/f/tree/@footfall/server@0.1.0/docs",
  )
  expect(linkIn(undefined)).toBe("/changelog#_0-1-0-2026-11-22")
})
