/** The method of a request. */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
