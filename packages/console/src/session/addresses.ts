// Where the console and its server are. The server writes its prefix into the document.

/** With a slash at the end. */
export const consoleUrl = new URL("./", document.baseURI).href

/** Path of the console, for the router. */
export const consolePath = new URL(consoleUrl).pathname

/** Without a slash at the end. */
export const serverUrl = consoleUrl.replace(/\/console\/$/, "")
