// CommonJS files in the folders that n8n expects, with the SDK's webhook verification inside: a package that n8n installs
// has no dependencies. n8n itself provides `n8n-workflow`.
import { cpSync } from "node:fs"
import { defineConfig } from "tsup"

export default defineConfig({
  entry: {
    "credentials/FootfallApi.credentials": "credentials/FootfallApi.credentials.ts",
    "nodes/Footfall/Footfall.node": "nodes/Footfall/Footfall.node.ts",
    "nodes/FootfallTrigger/FootfallTrigger.node": "nodes/FootfallTrigger/FootfallTrigger.node.ts",
  },
  format: "cjs",
  target: "node22",
  external: ["n8n-workflow"],
  noExternal: ["@footfall/sdk"],
  splitting: false,
  clean: true,
  onSuccess: async () => {
    cpSync("icons", "dist/icons", { recursive: true })
    for (const name of ["Footfall", "FootfallTrigger"]) {
      cpSync(`nodes/${name}/${name}.node.json`, `dist/nodes/${name}/${name}.node.json`)
    }
  },
})
