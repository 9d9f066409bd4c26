// User passwords: 10 to 200 characters, stored as scrypt with its parameters, so that those can be raised later without
// locking anyone out (spec 5.12).
import { Redacted, Context, Effect, Layer, Schema } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { makeFairTurns } from "../platform/jobs/fair-turns.ts"

export const passwordLengthMin = 10
export const passwordLengthMax = 200

/** Whether a password has an allowed length. Units: Unicode code points. */
export const isPassword = (password: Redacted.Redacted): boolean => {
  const { length } = [...Redacted.value(password)]
  return length >= passwordLengthMin && length <= passwordLengthMax
}

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const cost: Cost = { N: 2 ** 15, r: 8, p: 1 }
const maxmem = 64 * 1024 * 1024
const derive = promisify<string, Buffer, number, Cost & { maxmem: number }, Buffer>(scrypt)

const derived = (password: Redacted.Redacted, salt: Buffer, { N, p, r }: Cost): Promise<Buffer> =>
  derive(Redacted.value(password).normalize("NFKC"), salt, 32, { N, r, p, maxmem })

/** Returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url. */
export const hashPassword = async (password: Redacted.Redacted): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await derived(password, salt, cost)
  const parts = [cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")]
  return ["scrypt", ...parts].join("$")
}

/**
 * Whether the password matches the stored hash.
 *
 * *Guarantee*: the same work for every result, even without a stored hash, so timing does not reveal which addresses
 * have accounts.
 */
export const isSamePassword = async (
  password: Redacted.Redacted,
  stored: string | null,
): Promise<boolean> => {
  const [, N, r, p, salt = "", hash = ""] = (stored ?? unmatchable).split("$")
  const numbers = { N: Number(N), r: Number(r), p: Number(p) }
  // Normalizing a megabyte of text would delay every request; a code point has at most two code units.
  const isTooLong = Redacted.value(password).length > 2 * passwordLengthMax
  const parameters = isTooLong ? Redacted.make("") : password
  const given = await derived(parameters, Buffer.from(salt, "base64url"), numbers)
  return timingSafeEqual(given, Buffer.from(hash, "base64url")) && stored !== null && !isTooLong
}

/** A hash that no password matches; only its cost matters. */
const unmatchable = ["scrypt", cost.N, cost.r, cost.p, "A".repeat(22), "A".repeat(43)].join("$")

/** Generates a password of 120 random bits. */
export const makePassword = (): Redacted.Redacted =>
  Redacted.make(randomBytes(15).toString("base64url"))

// Hashes and compares passwords a few at a time. Each takes 32 MiB and one of Node's four threads, which DNS lookups
// and file reads need too. Each client address gets one turn at a time, so an attacker with many requests does not
// block sign-ins from elsewhere.

/** Too many passwords are being compared right now. */
export class SignInBusy extends Schema.TaggedError<SignInBusy>()("SignInBusy", {}) {}

/** Passwords a process hashes at the same time, and how many may wait; more are rejected. */
const hashesAtOnce = 2
const hashesWaitingMax = { ofOne: 10, ofAll: 200 }
const hashWait = "10 seconds"

const make = Effect.sync(() => {
  const turns = makeFairTurns({
    turns: hashesAtOnce,
    turnsOfOne: 1,
    waitingMax: hashesWaitingMax,
    wait: hashWait,
    busy: () => new SignInBusy(),
  })
  /** Ends with its thread, even if no one waits for it anymore. */
  const run = <A>(addressHash: string, work: () => Promise<A>) =>
    turns.run(addressHash, Effect.uninterruptible(Effect.promise(work)))
  return {
    /** Whether the password matches; see `isSamePassword`. `addressHash`: keyed hash of the client address. */
    isSame: (addressHash: string, password: Redacted.Redacted, stored: string | null) =>
      run(addressHash, () => isSamePassword(password, stored)),
    hash: (addressHash: string, password: Redacted.Redacted) =>
      run(addressHash, () => hashPassword(password)),
  }
})

export class PasswordTurns extends Context.Service<PasswordTurns, Effect.Success<typeof make>>()(
  "@footfall/server/access/PasswordTurns",
) {
  static readonly layer = Layer.effect(PasswordTurns, make)
}
