// The version of this package, in step with package.json (a test compares the two).

export const version = "0.2.0"
