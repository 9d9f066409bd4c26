// The rolling windows every visitor question is asked in. Source: spec 1.5.

/** `24h` to `90d` reach back from the moment of the request; `all` is the whole history. */
export type Timeframe = "24h" | "7d" | "14d" | "30d" | "90d" | "all"
