/**
 * Builds the one file the server embeds (an IIFE for ES2017 browsers, minified, without globals), and
 * the modules that others import. Declarations come from `tsc -p tsconfig.build.json`.
 */
import { defineConfig } from "tsup"

const shared = { target: "es2017", platform: "browser", tsconfig: "tsconfig.json" } as const

export default defineConfig([
  {
    ...shared,
    entry: ["src/footfall.ts"],
    format: "iife",
    outExtension: () => ({ js: ".js" }),
    minify: true,
    treeshake: false,
  },
  { ...shared, entry: ["src/path-filter.ts"], format: "esm" },
])
