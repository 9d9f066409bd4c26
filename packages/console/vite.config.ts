// Builds the console. Asset URLs are relative, so that it works below any path prefix, and each
// text file is also compressed, so that the server doesn't have to. The document contains no
// scripts or styles, because its content security policy blocks them.
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { defineConfig, type Plugin } from "vite"

/** Writes a `.gz` next to each text file. */
const packed = (): Plugin => ({
  name: "packed",
  apply: "build",
  async writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!/^assets\/.*\.(js|css|svg)$/.test(name)) continue
      const file = join(dir!, name)
      await writeFile(`${file}.gz`, gzipSync(await readFile(file), { level: 9 }))
    }
  },
})

/** The licenses of the fonts go where the fonts do. */
const fontLicenses = (): Plugin => ({
  name: "font-licenses",
  apply: "build",
  async writeBundle({ dir }) {
    for (const font of ["HankenGrotesk", "Literata"]) {
      const name = `${font}-OFL.txt`
      await copyFile(new URL(`src/ui/fonts/${name}`, import.meta.url), join(dir!, "assets", name))
    }
  },
})

/** What the server writes into the document. */
const developmentBase = (): Plugin => ({
  name: "development-base",
  apply: "serve",
  transformIndexHtml: () => [
    { tag: "base", attrs: { href: "/console/" }, injectTo: "head-prepend" as const },
  ],
})

export default defineConfig(({ command }) => ({
  base: command === "serve" ? "/console/" : "./",
  plugins: [packed(), fontLicenses(), developmentBase()],
  build: {
    outDir: "dist",
    target: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    license: { fileName: "licenses.md" },
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark what is for the browser; everything here is.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning)
      },
    },
  },
  server: { proxy: { "/v1": process.env["BASE_URL"] ?? "http://127.0.0.1:4100" } },
}))
