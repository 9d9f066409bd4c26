// The package version, equal to the one in package.json (a test compares them).

export const version = "0.2.0"
