// The types of the built scripts, which work by being loaded.
// oxlint-disable-next-line unicorn/require-module-specifiers -- they export nothing
export {}
