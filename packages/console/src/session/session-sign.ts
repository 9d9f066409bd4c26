// Whether this browser may have a session. Scripts can't read the session's cookie, so the console keeps this sign beside
// it and sends no renewal without it. It isn't a credential.
import { consolePath } from "./addresses.ts"

const key = `footfall.session ${consolePath}`

export const sessionSign = {
  isKept: (): boolean => localStorage.getItem(key) !== null,
  keep: (): void => localStorage.setItem(key, "1"),
  forget: (): void => localStorage.removeItem(key),
}
