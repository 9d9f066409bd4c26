// What becomes of a parameter that an operation does not know (spec 1.4): in a body it is refused; in
// a query the Data API refuses it and every other one ignores it.

export const strict = { errors: "all", onExcessProperty: "error", reportInput: true } as const

export const lenient = { ...strict, onExcessProperty: "ignore" } as const
