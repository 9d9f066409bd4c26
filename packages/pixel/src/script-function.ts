/** The script as a function of its options. The build writes what it does: see `tsup.config.ts`. */
import type { Commands } from "./commands.ts"
import type { FootfallOptions } from "./index.ts"

/** Starts a script with a state of its own. Throws where it does not run: wrong options, no `window`, a pixel that is there. */
export declare const load: (options: FootfallOptions) => Commands
