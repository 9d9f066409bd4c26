// The body of a request before it is parsed.

/** As it was received: the bytes, or the text they are in UTF-8. Never a parsed body. */
export type RawPayload = string | Uint8Array | ArrayBuffer
