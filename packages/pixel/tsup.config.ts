/**
 * Builds the files the server embeds (IIFEs for ES2017 browsers, minified, without globals), one for
 * each set of features, and the modules that others import. Declarations come from
 * `tsc -p tsconfig.build.json`.
 */
import { defineConfig } from "tsup"
import { features, featureSets, variantName } from "./src/features.ts"
import type { Feature } from "./src/features.ts"

const shared = { target: "es2017", platform: "browser", tsconfig: "tsconfig.json" } as const

/** The constants that the source asks for its parts: `HAS_CAPTURE`, … */
const definesOf = (chosen: readonly Feature[]) => ({
  IS_MODULE: "false",
  ...Object.fromEntries(
    features.map((feature) => [
      "HAS_" + feature.toUpperCase(),
      JSON.stringify(chosen.includes(feature)),
    ]),
  ),
})

const script = (name: string, chosen: readonly Feature[]) => ({
  ...shared,
  entry: { [name]: "src/footfall.ts" },
  format: "iife" as const,
  outExtension: () => ({ js: ".js" }),
  define: definesOf(chosen),
  minify: true,
  treeshake: false,
})

export default defineConfig([
  script("footfall", features),
  ...featureSets.map((chosen) => script("variants/" + variantName(chosen), chosen)),
  { ...shared, entry: ["src/path-filter.ts", "src/features.ts"], format: "esm" },
])
