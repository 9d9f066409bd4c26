// Gzipped sizes: the first script with its imports, and each screen's own code.
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { expect, it } from "vitest"

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: ReadonlyArray<string>
  readonly dynamicImports?: ReadonlyArray<string>
}

const dist = new URL("../dist/", import.meta.url)
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8")) as Readonly<
  Record<string, Chunk>
>

/** A chunk and its imports, except those already loaded. */
const withImports = (name: string, there: ReadonlySet<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (each: string): void => {
    if (there.has(each) || found.has(each)) return
    found.add(each)
    for (const imported of manifest[each]?.imports ?? []) visit(imported)
  }
  visit(name)
  return found
}

const kilobytes = (names: ReadonlySet<string>): number =>
  [...names].reduce((sum, name) => {
    const { file } = manifest[name]!
    return file.endsWith(".js") ? sum + gzipSync(readFileSync(new URL(file, dist))).length : sum
  }, 0) / 1024

const [entry] = Object.entries(manifest).find(([, { isEntry }]) => isEntry === true)!
const first = withImports(entry, new Set())

it("the first script is at most 180 KB", () => {
  expect(kilobytes(first)).toBeLessThanOrEqual(180)
})

it("each screen's own code is at most 60 KB", () => {
  const screens = manifest[entry]?.dynamicImports ?? []
  const large = screens.filter((screen) => kilobytes(withImports(screen, first)) > 60)
  expect(screens.length).toBeGreaterThan(10)
  expect(large).toEqual([])
})

it("the document contains no script and no style, and only relative URLs", () => {
  const html = readFileSync(new URL("index.html", dist), "utf8")
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src=)/)
  for (const [, address] of html.matchAll(/(?:src|href)="([^"]*)"/g))
    expect(address).toMatch(/^\.\//)
})

it("no script evaluates text as code", () => {
  for (const { file } of Object.values(manifest)) {
    if (file.endsWith(".js")) {
      expect(readFileSync(new URL(file, dist), "utf8")).not.toMatch(/\beval\(|new Function\(/)
    }
  }
})
