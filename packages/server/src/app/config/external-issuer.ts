// The variables of an issuer for sign-in.
import { Effect, Redacted } from "effect"
import type { ExternalIssuer } from "../../access/access-config.ts"
import { invalid, read, variableOf } from "./reading.ts"
import { issuerNameOf, issuerOf } from "./values.ts"

/** The issuer stays exactly as written, because its tokens repeat it letter for letter. */ // spec 7
export const readExternalIssuer = Effect.gen(function* () {
  const issuer = yield* read("OIDC_ISSUER", "", issuerOf)
  const audience = yield* variableOf("OIDC_AUDIENCE")
  const clientId = yield* variableOf("OIDC_CLIENT_ID")
  const clientSecret = yield* variableOf("OIDC_CLIENT_SECRET")
  if (issuer === "") {
    if (audience === undefined && clientId === undefined) return undefined
    const other = audience === undefined ? "OIDC_CLIENT_ID" : "OIDC_AUDIENCE"
    return yield* invalid("OIDC_ISSUER", `it is required with ${other}`)
  }
  if (audience === undefined && clientId === undefined) {
    return yield* invalid("OIDC_AUDIENCE", "it, or OIDC_CLIENT_ID, is required with OIDC_ISSUER")
  }
  if (clientSecret !== undefined && clientId === undefined) {
    return yield* invalid("OIDC_CLIENT_ID", "it is required with OIDC_CLIENT_SECRET")
  }
  const name = yield* read("OIDC_NAME", new URL(issuer).host, issuerNameOf)
  const secret = clientSecret === undefined ? undefined : Redacted.make(clientSecret)
  return {
    issuer,
    audience,
    client: clientId === undefined ? undefined : { clientId, clientSecret: secret, name },
  } satisfies ExternalIssuer
})
