/** Every case of the script, in Chromium. */
import { subjects } from "./subjects.ts"
import { declareIn } from "./support/stage.ts"

declareIn("Chromium", subjects)
