// nodemailer's connection to the mail server. It is loaded with the first use, and every step has a time limit.
import { Redacted } from "effect"
import type { SmtpServer } from "./smtp-server.ts"

/** Units: milliseconds. */
const limits = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
}

export const smtpTransport = async ({ credentials, host, isSecure, port }: SmtpServer) => {
  const { createTransport } = await import("nodemailer")
  return createTransport({
    ...limits,
    host,
    port,
    secure: isSecure,
    // Never send a password unencrypted, except to this machine.
    requireTLS: !isSecure && credentials !== undefined && !isLoopback(host),
    ...(credentials === undefined
      ? {}
      : { auth: { user: credentials.user, pass: Redacted.value(credentials.password) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
