// Paths with ids in them. Every value stays inside its own segment: it is percent-encoded, and the
// two values that a URL parser takes for "this" and "the parent" folder are refused.

/**
 * Template tag for request paths: path`/v1/data/pixels/${id}`.
 * Errors: TypeError for a value that is empty, `.` or `..`, or not a string.
 */
export function path(literals: TemplateStringsArray, ...values: ReadonlyArray<string>): string {
  return String.raw({ raw: literals }, ...values.map(segment))
}

function segment(value: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError("An id must be a non-empty string other than '.' and '..'")
  }
  return encodeURIComponent(value)
}
