// RESOLVER_URL and RESOLVER_TOKEN: a resolver behind HTTP for a server that no program embeds (spec 6.7.4).
import { Effect, Redacted } from "effect"
import type { ResolverConfig } from "../../people/identification/resolving/http-resolver.ts"
import { invalid, read, variableOf } from "./reading.ts"
import { addressOrNone } from "./values.ts"

export const readResolver = Effect.gen(function* () {
  const url = yield* read("RESOLVER_URL", "", addressOrNone)
  const token = yield* variableOf("RESOLVER_TOKEN")
  if (url === "") {
    if (token === undefined) return undefined
    return yield* invalid("RESOLVER_URL", "it is required with RESOLVER_TOKEN")
  }
  if (token !== undefined && !/^[!-~]{1,4096}$/.test(token)) {
    return yield* invalid("RESOLVER_TOKEN", "expected at most 4096 printable ASCII characters")
  }
  return {
    url,
    token: token === undefined ? undefined : Redacted.make(token),
  } satisfies ResolverConfig
})
