// A page of a browser, whose scripts anyone can read.

/** False in a worker, which has no document. */
export const isBrowser = (): boolean => "window" in globalThis && "document" in globalThis
