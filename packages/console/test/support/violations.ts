// What axe finds wrong with a page.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Runs in Playwright's own context, so that the page's policy stays in force. */
export const violations = async (
  page: Page,
  rules: "all" | "contrast" = "all",
): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe)
  const { violations: found } = (await page.evaluate(
    rules === "all"
      ? "axe.run({ resultTypes: ['violations'] })"
      : "axe.run({ resultTypes: ['violations'], runOnly: { type: 'rule', values: ['color-contrast'] } })",
  )) as AxeResults
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
