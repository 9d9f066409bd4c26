// Why an address is none that webhooks go to (decisions.md 1.9, 13), on the wire.
import { refuse } from "../http/errors.ts"
import type { UrlNotAllowed } from "../outbound/outbound-error.ts"

export const urlRefused = ({ reason }: UrlNotAllowed) =>
  refuse({
    code: "VALIDATION_ERROR",
    message: "Webhooks may not be sent to this address.",
    details: { issues: [{ path: "/body/url", ...issues[reason] }] },
  })

const notAllowed = (message: string) => ({ code: "url_not_allowed", message })

const issues: Readonly<
  Record<UrlNotAllowed["reason"], { readonly code: string; readonly message: string }>
> = {
  malformed: { code: "format", message: "Expected an address that begins with https://." },
  too_long: notAllowed("Expected an address of at most 2048 characters."),
  scheme: notAllowed("Expected an address that begins with https:."),
  user_info: notAllowed("Expected an address without user name and password."),
  address: notAllowed("Expected an address on the public internet."),
}
