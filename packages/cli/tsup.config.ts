// Bundles the command. Everything is inside, the SDK too, in chunks, so that a command loads only
// its part: what that saves is in docs/explanation/benchmarks.md. Nothing imports the CLI, so it has no declarations.

import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { basename, dirname, extname, isAbsolute, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig, type Options } from "tsup"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/**
 * Takes what is used of Node's own modules by `process.getBuiltinModule` instead of `import`. An import
 * reads every export of such a module, the lazy ones too: `node:process` opens the standard streams,
 * `node:util` loads worker threads. What comes by `import()` has a default export only, because of this.
 */
const builtinModules: Plugin = {
  name: "builtin-modules",
  setup: (build) => {
    build.onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ importer, kind, path }) =>
      isBuiltin(path)
        ? // Each importer has its own, or the bundler would make a file of it that several share.
          { path, namespace: `builtin-${kind}`, suffix: `?${importer}` }
        : null,
    )
    for (const [kind, contentsOf] of Object.entries(builtinContents)) {
      build.onLoad({ filter: /./, namespace: `builtin-${kind}` }, ({ path }) => ({
        contents: contentsOf(`process.getBuiltinModule(${JSON.stringify(path)})`, path),
      }))
    }
  },
}

const builtinContents: Record<string, (taken: string, path: string) => string> = {
  "require-call": (taken) => `module.exports = ${taken}`,
  "dynamic-import": (taken) => `export default ${taken}`,
  "import-statement": (taken, path) =>
    [
      `const all = ${taken}`,
      "export default all",
      // Marked as pure, so that the bundler leaves out those that no one uses.
      ...Object.keys(process.getBuiltinModule(path) ?? {}).map(
        (name) =>
          `const own_${name} = /* @__PURE__ */ (() => all.${name})(); export { own_${name} as ${name} }`,
      ),
    ].join("\n"),
}

/**
 * Leaves out what no command uses: programs of their own, which commander would start for some
 * commands; and the validator of the MCP server, which only checks what a server asks the user for, and ours asks for nothing.
 */
const leftOut: Plugin = {
  name: "left-out",
  setup: (build) => {
    build.onResolve({ filter: /^node:child_process$/ }, ({ importer, path }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path, namespace: "left-out" } : null,
    )
    build.onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({
      path,
      namespace: "left-out",
    }))
    build.onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: inPlaceOf(path),
    }))
  },
}

const inPlaceOf = (path: string): string => {
  if (path.startsWith("node:")) return "export default {}"
  // The server makes one, but never calls it.
  if (path.endsWith("ajv-provider.js")) return "export class AjvJsonSchemaValidator {}"
  return `throw new Error("${path} is not in the bundle")`
}

const found = (file: string, pattern: RegExp): Array<string> =>
  [...readFileSync(file, "utf8").matchAll(pattern)].map(([, path = ""]) =>
    path.startsWith(".") ? resolve(import.meta.dirname, dirname(file), path) : path,
  )

/** The files that are of the core: those that `src/core.ts` exports from. */
const coreFiles = new Set(found("src/core.ts", /from "([^"]+)"/g))

/** What those load later, by the names that the files of the bundle get. */
const loadedByCore = Object.fromEntries(
  [...coreFiles]
    .filter((path) => isAbsolute(path))
    .flatMap((file) => found(file, /import\("(\.[^"]+)"\)/g))
    .map((path) => [basename(path, extname(path)), path]),
)

/** Takes what the core loads later from the files of those names. */
const later: Plugin = {
  name: "later",
  setup: (build) => {
    build.onResolve({ filter: /^\./ }, ({ kind, path }) =>
      kind === "dynamic-import"
        ? { path: `./${basename(path, extname(path))}.js`, external: true }
        : null,
    )
  },
}

/** Takes what is of the core from its one file. */
const core: Plugin = {
  name: "core",
  setup: (build) => {
    build.onResolve({ filter: /^(\.|commander$)/ }, ({ path, resolveDir }) =>
      coreFiles.has(path.startsWith(".") ? resolve(resolveDir, path) : path)
        ? { path: "./core.js", external: true }
        : null,
    )
  },
}

/** Takes the SDK from its one file. */
const sdk: Plugin = {
  name: "sdk",
  setup: (build) => {
    build.onResolve({ filter: /^@footfall\/sdk$/ }, () => ({ path: "./sdk.js", external: true }))
  },
}

const bundle = (entry: Readonly<Record<string, string>>, plugins: Array<Plugin>): Options => ({
  entry,
  format: "esm",
  target: "node22",
  splitting: false,
  minify: true,
  noExternal: [/./],
  // tsup would resolve `node:` modules itself, before the plugin sees them.
  removeNodeProtocol: false,
  esbuildPlugins: [...plugins, leftOut, builtinModules],
  // React's production build, and no developer tools in Ink (the package is not installed).
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    // Ink's layout engine would load its own bytes through it, as a data address, and Node's client
    // with it: 389 ms of processor time for a table instead of 345 (2026-11-21). Without it, it
    // decodes them. Nothing else here may use it.
    fetch: "undefined",
  },
  esbuildOptions: (options) => {
    options.legalComments = "none"
    options.external = [...(options.external ?? []), "react-devtools-core"]
    // The reason is in that file.
    options.alias = { undici: "./src/connection/http-request.ts" }
  },
})

export default defineConfig([
  { ...bundle({ core: "src/core.ts" }, [later, sdk]), clean: true },
  bundle({ sdk: fileURLToPath(import.meta.resolve("@footfall/sdk")) }, []),
  { ...bundle({ main: "src/main.ts", ...loadedByCore }, [core, sdk]), splitting: true },
])
