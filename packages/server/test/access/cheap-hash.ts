// A stored password that takes a thirtieth of the work to compare, for tests with many sign-ins. The cost is stored
// with it, as for passwords from before the cost was raised.
import { randomBytes, scryptSync } from "node:crypto"

export const cheapHash = (password: string): string => {
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
  return ["scrypt", 2 ** 10, 8, 1, salt.toString("base64url"), hash.toString("base64url")].join("$")
}
