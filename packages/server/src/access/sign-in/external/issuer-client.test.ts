import * as openid from "openid-client"
import { expect, it } from "vitest"
import { discovered } from "./issuer-client.ts"

/** The library accepts the name in this issuer's configuration although it differs from the issuer. */
const issuer = "https://login.microsoftonline.com/organizations/v2.0"

const discover = (named: string) =>
  discovered(openid, {
    client: { clientId: "footfall-console", clientSecret: undefined },
    issuer,
    fetch: async () =>
      Response.json({
        issuer: named,
        authorization_endpoint: "https://login.microsoftonline.com/organizations/authorize",
        token_endpoint: "https://login.microsoftonline.com/organizations/token",
      }),
  })

it("a configuration that names another issuer is refused, also where the library accepts it", async () => {
  await expect(discover("https://login.microsoftonline.com/{tenantid}/v2.0")).rejects.toThrow(
    `OIDC_ISSUER is ${issuer}, but its configuration names`,
  )
  expect((await discover(issuer)).serverMetadata().issuer).toBe(issuer)
})
