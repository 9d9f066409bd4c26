/**
 * Builds the files the server embeds (for ES2017 browsers, minified, without globals), one for each set
 * of features, the function of the npm package, and the modules that others import.
 * Declarations come from `tsc -p tsconfig.build.json`.
 */
import { defineConfig } from "tsup"
import type { Options } from "tsup"
import { minifyScript } from "./scripts/minify-script.ts"
import { features, featureSets, variantName } from "./src/features.ts"
import type { Feature } from "./src/features.ts"

const shared = { target: "es2017", platform: "browser", tsconfig: "tsconfig.json" } as const

/** The constants that the source asks for its parts. See `src/build.d.ts`. */
const constants = (chosen: readonly Feature[], isModule: boolean) => ({
  IS_MODULE: JSON.stringify(isModule),
  HAS_ALL: JSON.stringify(chosen.length === features.length),
  ...Object.fromEntries(
    features.map((feature) => [
      "HAS_" + feature.toUpperCase(),
      JSON.stringify(chosen.includes(feature)),
    ]),
  ),
})

const script = (name: string, chosen: readonly Feature[]) => ({
  ...shared,
  format: "esm" as const,
  entry: { [name]: "src/footfall.ts" },
  define: constants(chosen, false),
  plugins: [
    {
      name: "minify-script",
      esbuildOptions: (options: { minifySyntax?: boolean; treeShaking?: boolean }) => {
        options.minifySyntax = true
        options.treeShaking = true
      },
      renderChunk: async (code: string) => ({ code: await minifyScript(code) }),
    },
  ],
})

/** What `src/script-function.ts` declares: the whole script, as the body of a function. */
const scriptAsFunction: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "script-as-function",
  setup: ({ esbuild, onLoad }) =>
    onLoad({ filter: /[\\/]script-function\.ts$/ }, async () => {
      const { outputFiles } = await esbuild.build({
        ...shared,
        bundle: true,
        define: { ...constants(features, true), __FOOTFALL_OPTIONS__: "given" },
        entryPoints: ["src/start.ts"],
        format: "iife",
        globalName: "script",
        write: false,
      })
      const code = outputFiles[0]?.text
      return { contents: `export const load = (given) => {\n${code}return script.commands\n}` }
    }),
}

const npmFunction = {
  ...shared,
  format: "esm" as const,
  entry: { index: "src/module.ts" },
  esbuildPlugins: [scriptAsFunction],
}

export default defineConfig([
  script("footfall", features),
  ...featureSets.map((chosen) => script("variants/" + variantName(chosen), chosen)),
  npmFunction,
  { ...shared, entry: ["src/path-filter.ts", "src/features.ts"], format: "esm" },
])
