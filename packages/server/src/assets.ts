// Where to find the files that the build puts beside the code: `assets/` is next to both `src/` and `dist/`.
import { fileURLToPath } from "node:url"

export interface Assets {
  /** Absolute path. */
  readonly directory: string
}

export const assets: Assets = {
  directory: fileURLToPath(new URL("../assets", import.meta.url)),
}
