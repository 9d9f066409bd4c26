// Paths with ids in them. Every value stays inside its own segment: it is percent-encoded, and the
// two values that a URL parser takes for "this" and "the parent" folder are refused. A template knows its route.

/** A path as it is, or one that is made when the call is. */
export type Path = string | Template

/** Makes a path. `route`: the path with `:id` for each value. */
export interface Template {
  (): string
  readonly route: string
}

/**
 * Template tag for request paths: path`/v1/data/pixels/${id}`. The path is made with the call, so that an invalid id
 * rejects the call's promise like every other failure.
 * Errors when it is made: TypeError for a value that is empty, `.` or `..`, or not a string.
 */
export const path = (literals: TemplateStringsArray, ...values: ReadonlyArray<string>): Template =>
  Object.assign(() => String.raw({ raw: literals }, ...values.map(segment)), {
    route: literals.join(":id"),
  })

function segment(value: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError("An id must be a non-empty string other than '.' and '..'")
  }
  return encodeURIComponent(value)
}
