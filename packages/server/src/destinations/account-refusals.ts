// How requests are refused for an account that cannot be used (spec 5.10, 5.11, 9).
import { refuse } from "../http/errors.ts"
import type { AccountUnhealthy, ProviderError } from "./accounts/accounts.ts"

export const accountUnhealthyRefused = ({ status }: AccountUnhealthy) =>
  refuse({
    code: "ACCOUNT_UNHEALTHY",
    message: `Expected a healthy connected account, but it is ${status}; check it, or connect it anew.`,
    details: { status },
  })

export const providerErrorRefused = ({ status }: ProviderError) =>
  refuse({
    code: "PROVIDER_ERROR",
    message:
      status === null
        ? "The provider did not answer."
        : `The provider answered with status ${status} or with something unreadable.`,
    details: { status },
  })

export const integrationUnavailableRefused = refuse({
  code: "INTEGRATION_UNAVAILABLE",
  message: "Neither the account nor this server (MAILER_BASE_URL) says where the provider is.",
})
