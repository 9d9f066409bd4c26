// Why a request failed, as text. Keeps messages, not the errors themselves: a third-party error may hold the request and
// its headers.

/** Maximum number of causes in an error message. */
const causesMax = 5

interface Cause {
  readonly message: string
  readonly code: string
  readonly name: unknown
}

/** Not `instanceof Error`, because a test runner may have its own class of that name. */
const causesOf = (error: unknown): ReadonlyArray<Cause> => {
  const found: Array<Cause> = []
  let each = error
  while (typeof each === "object" && each !== null && found.length < causesMax) {
    const { cause, code, message, name } = each as Readonly<Record<string, unknown>>
    if (typeof message !== "string") break
    found.push({ message, code: typeof code === "string" ? code : "", name })
    each = cause
  }
  return found
}

/** Returns the messages of an error and its causes. */
export function causes(error: unknown): string {
  const messages = causesOf(error).map(({ code, message }) =>
    (message.includes(code) ? message : `${message} (${code})`).trim(),
  )
  return messages.filter(Boolean).join(": ") || "the sending function gave no reason"
}

/** OpenSSL's names for a certificate that is not accepted, as Node reports them. */
const certificate =
  /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?|UNABLE_TO_(?:GET_ISSUER_CERT(?:_LOCALLY)?|VERIFY_LEAF_SIGNATURE|DECRYPT_CERT_SIGNATURE|DECODE_ISSUER_PUBLIC_KEY)|CERT_(?:HAS_EXPIRED|NOT_YET_VALID|SIGNATURE_FAILURE|CHAIN_TOO_LONG|REVOKED|UNTRUSTED|REJECTED)|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID|ERR_TLS_CERT_ALTNAME_FORMAT)$/

/** Certificates that are accepted once their authority is. */
const unknownAuthority = /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_)/

/** The answer is not TLS, or not HTTP. EPROTO also reports alerts of the server. */
const otherProtocol = /^(?:EPROTO|ERR_SSL_\w+|HPE_\w+|UNSUPPORTED_PROTOCOL)$/

/** What to change, if a retry can't help; undefined if the cause may pass. */
export function permanentCause(error: unknown): string | undefined {
  const found = causesOf(error)
  const codes = found.map(({ code }) => code)
  if (codes.some((code) => unknownAuthority.test(code))) {
    return "The server's certificate is not trusted. If its authority is your own, set NODE_EXTRA_CA_CERTS to the file of the authority's certificate"
  }
  if (codes.some((code) => certificate.test(code))) {
    return "The server's certificate is not valid for this URL"
  }
  // undici's parser has a name, but not always a code.
  return codes.some((code) => otherProtocol.test(code)) ||
    found.some(({ name }) => name === "HTTPParserError")
    ? "The server does not speak the protocol of this URL: check http:// or https://, and the port"
    : undefined
}
