/** The script as a function of its options. The build generates its body: see `tsup.config.ts`. */
import type { Commands } from "./commands.ts"
import type { FootfallOptions } from "./index.ts"

/**
 * Starts a script with its own state. Throws if it can't run: wrong options, no `window`, or the pixel is already
 * there.
 */
export declare const load: (options: FootfallOptions) => Commands
