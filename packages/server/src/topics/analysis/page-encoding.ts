// What the bytes of a page say as text: by byte order mark, then by the header, then by the page's own
// meta tag, as browsers have it; without any of these UTF-8, and Windows-1252 where that is no UTF-8.

/** How far into a page its own word on the encoding is looked for. Units: bytes. WHATWG, prescan. */
const prescanBytes = 1024

export const decodePage = (body: Uint8Array, contentType: string | undefined): string => {
  const label = markedEncoding(body) ?? charsetOf(contentType ?? "") ?? metaCharset(body)
  const told = label === undefined ? undefined : decodeAs(label, body)
  return told ?? decodeAs("utf-8", body, { fatal: true }) ?? decodeAs("windows-1252", body) ?? ""
}

const markedEncoding = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined
}

const charsetOf = (text: string): string | undefined =>
  /charset\s*=\s*["']?\s*([^\s"';>/]+)/i.exec(text)?.[1]

/** A page that could be read so far is not in UTF-16, whatever it says. */
const metaCharset = (body: Uint8Array): string | undefined => {
  const start = new TextDecoder("latin1").decode(body.subarray(0, prescanBytes))
  const [tag] = /<meta\s[^>]*charset\s*=[^>]*/i.exec(start) ?? []
  const label = tag === undefined ? undefined : charsetOf(tag)
  return label !== undefined && /^utf-?16/i.test(label) ? "utf-8" : label
}

/** Undefined for an encoding that no one knows and, when it is strict, for what is not in it. */
const decodeAs = (
  label: string,
  body: Uint8Array,
  options: { readonly fatal?: boolean } = {},
): string | undefined => {
  try {
    return new TextDecoder(label, options).decode(body)
  } catch {
    return undefined
  }
}
