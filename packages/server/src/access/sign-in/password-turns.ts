// Hashes and compares passwords a few at a time. Each takes 32 MiB and one of Node's four threads, which DNS lookups
// and file reads need too. Each client address gets one turn at a time, so an attacker with many requests does not
// block sign-ins from elsewhere.
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import { hashPassword, isSamePassword } from "../password.ts"

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
