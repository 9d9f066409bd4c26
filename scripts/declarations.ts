// Keeps the declarations that the packages ship readable without this repository: a `.d.ts` says a value or a limit
// itself and cites no number of the specification and no file of its history. A citation belongs in a `//` comment,
// which the compiler leaves out of declarations.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** `spec 5.10`, `decisions.md`: what a user of a package cannot look up. */
const unresolvable = /\bspec \d[\d.]*|\b(?:service|decisions|additions)\.md\b/

/** What a comment line begins with, so that a citation broken over two lines is found. */
const nextLine = /\n[ \t]*(?:\*(?!\/))?[ \t]*/g

/** Every comment of a declaration that cites what its reader does not have. */
export const citationsOf = (declaration: string): ReadonlyArray<string> =>
  [...declaration.matchAll(/\/\*\*[\s\S]*?\*\//g)]
    .map(([comment]) => comment.replaceAll(nextLine, " "))
    .filter((comment) => unresolvable.test(comment))

/** The faults of what is built in `packages`. A declaration whose source is gone is left over and not shipped. */
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
