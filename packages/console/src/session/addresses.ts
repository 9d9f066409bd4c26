// URLs of the console and its server. The server writes its path prefix into the document.

/** With a trailing slash. */
export const consoleUrl = new URL("./", document.baseURI).href

/** Base path for the router. */
export const consolePath = new URL(consoleUrl).pathname

/** Without a trailing slash. */
export const serverUrl = consoleUrl.replace(/\/console\/$/, "")
