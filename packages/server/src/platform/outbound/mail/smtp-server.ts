// The mail server and the sender address from `SMTP_URL` (spec 1.2). The operator chooses this address, so the outbound
// guard does not apply.
import { Context, Redacted } from "effect"

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`); otherwise STARTTLS where the server offers it. */
  readonly isSecure: boolean
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | undefined
  /** The sender address. */
  readonly from: string
}

/** Undefined: no mail is sent. */
export const MailServer = Context.Reference<SmtpServer | undefined>(
  "@footfall/server/outbound/MailServer",
  { defaultValue: () => undefined },
)

const ports = { "smtp:": 587, "smtps:": 465 } as const
const isScheme = (text: string): text is keyof typeof ports => Object.hasOwn(ports, text)

/**
 * Parses `smtp[s]://[user:password@]host[:port][?from=address]`; undefined for anything else. Without `from`, the
 * sender is the user name if that is an address, else `footfall@` the host of `baseUrl`.
 */
export const readSmtpUrl = (text: string, baseUrl: string): SmtpServer | undefined => {
  const url = URL.parse(text)
  if (url === null || !isScheme(url.protocol) || url.hostname === "") return undefined
  if (url.pathname.length > 1 || url.hash !== "") return undefined
  if ([...url.searchParams.keys()].some((name) => name !== "from")) return undefined
  const user = decoded(url.username)
  const password = decoded(url.password)
  if (user === undefined || password === undefined) return undefined
  const from = url.searchParams.get("from") ?? (user.includes("@") ? user : ownAddress(baseUrl))
  if (!/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from)) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || ports[url.protocol],
    isSecure: url.protocol === "smtps:",
    credentials: user === "" ? undefined : { user, password: Redacted.make(password) },
    from,
  }
}

const ownAddress = (baseUrl: string): string => `footfall@${new URL(baseUrl).hostname}`

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
