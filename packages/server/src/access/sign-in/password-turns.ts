// Hashes and compares passwords a few at a time. Each takes 32 MiB and one of the four threads of Node, which looking
// names up and reading files need too. A client address has one at a time and addresses take turns, so whoever sends
// many keeps no one elsewhere from signing in.
import { Context, Effect, Layer, type Redacted, Schema } from "effect"
import { makeFairTurns } from "../../jobs/fair-turns.ts"
import { hashPassword, isSamePassword } from "../password.ts"

/** Too many passwords are compared at the moment. */
export class SignInBusy extends Schema.TaggedError<SignInBusy>()("SignInBusy", {}) {}

/** Passwords that a process hashes at the same time, and that wait for it; more are refused. Our bounds. */
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
  /** Work that ends with its thread, whoever waits for it. */
  const run = <A>(addressHash: string, work: () => Promise<A>) =>
    turns.run(addressHash, Effect.uninterruptible(Effect.promise(work)))
  return {
    /** Whether the password is the stored one; see `isSamePassword`. `addressHash`: from where, as a keyed hash. */
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
