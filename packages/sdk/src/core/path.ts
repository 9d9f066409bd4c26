// Paths with ids in them. Each value stays inside its own segment: it is percent-encoded, and `.` and `..` are rejected
// because URL parsers resolve them. A template knows its route.

/** A path, or a template that builds it when the call is made. */
export type Path = string | Template

/** Builds a path. `route`: the path with `:id` in place of each value. */
export interface Template {
  (): string
  readonly route: string
}

/**
 * Template tag for request paths: path`/v1/data/pixels/${id}`. The path is built when the call is made, so an invalid
 * id rejects the call's promise like any other error. Errors when it is built: TypeError for a value that is empty, `.`
 * or `..`, or not a string.
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
