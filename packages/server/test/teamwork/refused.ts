// The error with which a call of the SDK fails.
import { expect } from "vitest"

export const refused = async <Failure>(
  call: PromiseLike<unknown>,
  kind: new (...args: never) => Failure,
): Promise<Failure> => {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  expect(error).toBeInstanceOf(kind)
  return error as Failure // as just checked
}
