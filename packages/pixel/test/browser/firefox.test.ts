/**
 * The cases of the script that a browser can decide, in Firefox: storage and cookies, how a page is left and restored,
 * what happens without a network, forms and focus, history, time zones, content security policies, reported errors.
 * Cases that the script's own code decides run in Chromium alone (`once` and `rows` in stage.ts), and in happy-dom.
 */
import { subjects } from "./subjects.ts"
import { declareIn } from "./support/stage.ts"

declareIn("Firefox", subjects)
