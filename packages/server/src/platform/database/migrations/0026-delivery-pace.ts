// What a delivery stores so that a batch can start while the previous one is being recorded (spec 8.2).

export const statements: ReadonlyArray<string> = [
  // `next_event_at`: time of the next batch's events, fixed before that batch starts.
  `alter table delivery add column next_event_at timestamptz`,
]
