// What a delivery keeps so that a batch begins while the one before it is being written down (spec 8.2).

export const statements: ReadonlyArray<string> = [
  // `next_event_at`: time of the events of the batch after the present one, known before that begins.
  `alter table delivery add column next_event_at timestamptz`,
]
