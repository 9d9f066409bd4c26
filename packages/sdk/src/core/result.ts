// Calls that return errors instead of throwing them.

import { FootfallError } from "../errors/footfall-error.ts"

/** The result of a call: a value or an error. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value; readonly error: null }
  | { readonly ok: false; readonly value: null; readonly error: FootfallError }

/**
 * Returns the value or the error of a call, for example `await result(footfall.pixels.list())`. It rejects only with
 * errors that are not SDK errors. Those are bugs in the program, such as an id that is not a string.
 */
export async function result<Value>(call: PromiseLike<Value>): Promise<Result<Value>> {
  try {
    return { ok: true, value: await call, error: null }
  } catch (error) {
    if (error instanceof FootfallError) return { ok: false, value: null, error }
    throw error
  }
}
