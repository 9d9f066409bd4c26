// The methods the API knows.

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
