// Passwords of users: 10 to 200 characters, stored as scrypt with its parameters, so that they can
// be raised later without locking anyone out (decisions.md 5.12).
import { Redacted } from "effect"
import { randomBytes, scrypt } from "node:crypto"
import { promisify } from "node:util"

export const passwordLengthMin = 10
export const passwordLengthMax = 200

/** Whether a password has a permitted length. Units: Unicode code points. */
export const isPassword = (password: Redacted.Redacted): boolean => {
  const { length } = [...Redacted.value(password)]
  return length >= passwordLengthMin && length <= passwordLengthMax
}

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export const hashPassword = async (password: Redacted.Redacted): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await derive(Redacted.value(password).normalize("NFKC"), salt, 32, cost)
  const parts = [cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")]
  return ["scrypt", ...parts].join("$")
}

/** A password for someone who did not choose one: 120 random bits. */
export const makePassword = (): Redacted.Redacted =>
  Redacted.make(randomBytes(15).toString("base64url"))
