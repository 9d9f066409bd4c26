// Keeps published declarations readable without this repository. A `.d.ts` states a value or a limit itself and cites
// no specification numbers and no history files. Put a citation in a `//` comment, which the compiler leaves out of
// declarations.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** `spec 5.10`, `decisions.md`: things that users of a package can't look up. */
const unresolvable = /\bspec \d[\d.]*|\b(?:service|decisions|additions)\.md\b/

/** The start of a comment line, to find citations that span two lines. */
const nextLine = /\n[ \t]*(?:\*(?!\/))?[ \t]*/g

/** Comments of a declaration that cite something its reader doesn't have. */
export const citationsOf = (declaration: string): ReadonlyArray<string> =>
  [...declaration.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([comment]) => comment.replaceAll(nextLine, " "))
    .filter((comment) => unresolvable.test(comment))

/**
 * Problems in the built declarations in `packages`. It ignores a stale declaration without a source, because that isn't
 * published.
 */
export const declarationFaults = (packages: string): ReadonlyArray<string> =>
  readdirSync(packages).flatMap((name) => {
    const dist = join(packages, name, "dist")
    if (!existsSync(dist)) return []
    return readdirSync(dist, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".d.ts"))
      .flatMap((path) => {
        const source = join(packages, name, "src", path.replace(/\.d\.ts$/, ".ts"))
        if (!existsSync(source) && !existsSync(`${source}x`)) return []
        return citationsOf(readFileSync(join(dist, path), "utf8")).map(
          (comment) =>
            `${source}: this comment is shipped in a .d.ts, so cite in a // comment after it: ${comment}`,
        )
      })
  })
