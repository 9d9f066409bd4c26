// Detects a browser page, where anyone can read the scripts.

/** False in a worker, which has no `document`. */
export const isBrowser = (): boolean => "window" in globalThis && "document" in globalThis
