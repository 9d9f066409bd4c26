// The kinds of imported data that have a version (migration 0009).

export type DataKind = "topics" | "signals" | "people"
