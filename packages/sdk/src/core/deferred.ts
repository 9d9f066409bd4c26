// `Promise.withResolvers`, which Node 20 doesn't have.

/** A promise, and the functions that settle it. */
export function deferred<Value>(): {
  readonly promise: Promise<Value>
  readonly resolve: (value: Value | PromiseLike<Value>) => void
  readonly reject: (reason: unknown) => void
} {
  let settle: {
    resolve: (value: Value | PromiseLike<Value>) => void
    reject: (reason: unknown) => void
  }
  const promise = new Promise<Value>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The executor has run.
  return { promise, ...settle! }
}
