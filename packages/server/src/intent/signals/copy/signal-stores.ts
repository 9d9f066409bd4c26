// Where imported signals can be. Without Effect, because the operator's command lists the stores before it loads any
// (docs/adr/0005).

export const signalStores = ["clickhouse", "postgres"] as const
export type SignalStoreName = (typeof signalStores)[number]
